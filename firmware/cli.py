"""The command `magister`: reads the words of the call and runs one command.

Exit codes: 0 done, 1 the answer is no, 2 wrong use or unusable input. An error is one line.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
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

COMMANDS = (demo, run, tell, play, rules, print_pack, look, watch, log, calibrate, doctor, trace, perft, bench)
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="magister", description="Magister Ludi: referee, scribe and teacher of real tabletop games.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        command.register(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _complain(command: str, error: Exception, code: int) -> int:
    sys.stdout.flush()
    print(f"magister {command}: {' '.join(str(error).split())}", file=sys.stderr)
    return code
