"""The command `magister`: parses the arguments and runs one command.

Exit codes: 0 done, 1 the answer is no, 2 wrong use or unusable input. An error is one line.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from engine.core import GameError, IllegalActionError
from engine.trace import ReplayError
from firmware.commands import (
    backup,
    bench,
    calibrate,
    cameras,
    demo,
    doctor,
    hub,
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
from firmware.machine.errors import UsageError
from firmware.machine.versions import OURS, version_of

COMMANDS = (
    *(demo, run, hub, tell, play, rules, print_pack, look, watch, log, backup, cameras, calibrate),
    *(doctor, trace, perft, bench),
)
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        # Flush help and version now: errors at interpreter exit cannot be caught.
        sys.stdout.flush()
        if message:
            _say_what_is_wrong(message)
        sys.exit(status)


class ShowVersion(argparse.Action):
    """Prints the version and exits; it is looked up only here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"magister {version_of(OURS) or 'from its source, not installed'}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="magister",
        description="Magister Ludi: a referee, scorekeeper and teacher for real tabletop games. Without a command it "
        "opens its page in the browser and leads from there.",
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        command.register(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _make_sure_of_streams()
    caller = "magister"
    try:
        words = sys.argv[1:] if argv is None else list(argv)
        args = build_parser().parse_args(words or run.first_start())
        caller = f"magister {args.command}"
        code: int = args.run(args)
        sys.stdout.flush()
    except (ReplayError, IllegalActionError) as error:
        return _complain(caller, error, 1)
    except (GameError, UsageError) as error:
        return _complain(caller, error, 2)
    except BrokenPipeError:
        # The reader of our output has gone (`magister trace … | head`): say nothing more, not even at exit.
        _let_go_of(sys.stdout)
        return 0
    except OSError as error:
        # Unexpected errors of disks and devices, such as output to a full disk.
        where = f"{error.filename}: " if error.filename else ""
        return _complain(caller, UsageError(f"{where}{error.strerror or error}"), 2)
    except MemoryError:
        return _complain(caller, UsageError("there is not enough memory: close other programs, or ask for less"), 2)
    except KeyboardInterrupt:
        _give_out_the_rest()
        return INTERRUPTED
    return code


def _make_sure_of_streams() -> None:
    """Replace closed streams by the null device.

    A terminal that lacks a character shows `?` instead; undecodable input bytes become replacement characters.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - it stays open
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _give_out_the_rest() -> None:
    """Flush what was printed before the error, if the output still accepts it."""
    try:
        sys.stdout.flush()
    except OSError:
        _let_go_of(sys.stdout)


def _let_go_of(stream: TextIO) -> None:
    """Do not try again at exit to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(caller: str, error: Exception, code: int) -> int:
    _give_out_the_rest()
    _say_what_is_wrong(f"{caller}: {' '.join(str(error).split())}\n")
    return code


def _say_what_is_wrong(line: str) -> None:
    """Print one line to stderr; if that fails, the exit code still tells."""
    try:
        sys.stderr.write(line)
        sys.stderr.flush()
    except OSError:
        _let_go_of(sys.stderr)
