"""The command `magister`: reads the words of the call and runs one command.

Exit codes: 0 done, 1 the answer is no, 2 wrong use or unusable input. An error is one line.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from engine.core import GameError, IllegalActionError
from engine.trace import ReplayError
from firmware.commands import (
    bench,
    calibrate,
    demo,
    doctor,
    log,
    look,
    perft,
    play,
    print_pack,
    rules,
    run,
    tell,
    trace,
    watch,
)
from firmware.errors import UsageError
from firmware.versions import OURS, version_of

COMMANDS = (demo, run, tell, play, rules, print_pack, look, watch, log, calibrate, doctor, trace, perft, bench)
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


class ShowVersion(argparse.Action):
    """Says which version this is, and ends: nobody else needs to look that up."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"magister {version_of(OURS) or 'from its source, not installed'}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="magister", description="Magister Ludi: referee, scribe and teacher of real tabletop games.")
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        command.register(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _make_sure_of_streams()
    args = build_parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except (ReplayError, IllegalActionError) as error:
        return _complain(args.command, error, 1)
    except (GameError, UsageError) as error:
        return _complain(args.command, error, 2)
    except BrokenPipeError:
        # The reader of our output has gone (`magister trace … | head`): nothing more to say, also not at exit.
        _let_go_of_stdout()
        return 0
    except OSError as error:
        # What nobody expected of disks and devices, such as output into a file on a full one.
        _let_go_of_stdout()
        where = f"{error.filename}: " if error.filename else ""
        return _complain(args.command, UsageError(f"{where}{error.strerror or error}"), 2)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _make_sure_of_streams() -> None:
    """A closed input holds nothing; a closed output takes everything and keeps nothing.

    A terminal that lacks a letter gets a `?` for it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - it stays open
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _let_go_of_stdout() -> None:
    """What could not be written is not tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(command: str, error: Exception, code: int) -> int:
    sys.stdout.flush()
    print(f"magister {command}: {' '.join(str(error).split())}", file=sys.stderr)
    return code
