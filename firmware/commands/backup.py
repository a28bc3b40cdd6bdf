"""`magister backup` and `magister restore`: everything that took work, in one file, and back."""

from __future__ import annotations

import argparse
import shlex
from datetime import UTC, datetime
from pathlib import Path

from firmware.commands import Commands
from firmware.settings.arguments import log_file, whole_number

KEPT = 14


def register(commands: Commands) -> None:
    parser = commands.add_parser("backup", help="save matches, settings, lens and colours in one file")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--out", metavar="FILE.zip", type=Path, help="the file to write (default: named by the time)")
    where.add_argument("--into", metavar="DIR", type=Path, help="a folder in which the newest backups are kept")
    parser.add_argument(
        "--keep", metavar="N", type=whole_number, default=KEPT, help=f"how many are kept there (default {KEPT})"
    )
    parser.add_argument(
        "--run-options", metavar="TEXT", default="", help="options of `magister run`, which name log, lens and colours"
    )
    _add_files(parser, "save")
    parser.set_defaults(run=backup)
    back = commands.add_parser("restore", help="put back what a backup holds; what is there now is kept")
    back.add_argument("file", metavar="FILE.zip", type=Path, help="a file written by `magister backup`")
    _add_files(back, "restore")
    back.set_defaults(run=restore_backup)


def _add_files(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--log", metavar="FILE", type=log_file, help="match log (default: this machine's)")
    parser.add_argument("--config", dest="settings", metavar="FILE", type=Path, help=f"settings file to {what} as well")
    parser.add_argument("--lens", metavar="FILE", type=Path, help=f"lens file to {what} as well")
    parser.add_argument("--colours", metavar="FILE", type=Path, help=f"colour file to {what} as well")


def backup(args: argparse.Namespace) -> int:
    from firmware.log.backup import keep_backup, make_backup, name_of, write_backup
    from firmware.log.disk.file import parts_of
    from firmware.log.disk.place import default_log
    from firmware.machine.errors import UsageError
    from firmware.machine.files import places_of

    if not args.keep:
        raise UsageError("--keep must be at least 1")
    called = _called(args.run_options)
    log = args.log or called.log or default_log()
    files = {"settings": args.settings, "lens": args.lens or called.lens, "colours": args.colours or called.colours}
    named = [file for file in (args.settings, args.lens, args.colours) if file is not None]
    for file in named:
        if not file.is_file():
            raise UsageError(f"cannot read {file}: there is no such file")
    made = datetime.now(UTC).isoformat()
    out = args.out or Path(name_of(made))
    if args.into is None:
        places_of(out, [*parts_of(log), *named])
    data = make_backup(log, files, made)
    if args.into is not None:
        out = keep_backup(args.into, name_of(made), data, args.keep)
    else:
        write_backup(out, data)
    print(f"{out}: {len(data) / 1000:.0f} kB")
    return 0


def restore_backup(args: argparse.Namespace) -> int:
    from firmware.log.backup import restore
    from firmware.log.disk.place import default_log

    places = {"settings": args.settings, "lens": args.lens, "colours": args.colours}
    for line in restore(args.file, args.log or default_log(), places):
        print(line)
    return 0


def _called(options: str) -> argparse.Namespace:
    """What the options of `magister run` name."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    for name in ("--log", "--lens", "--colours"):
        parser.add_argument(name, type=Path)
    return parser.parse_known_args(shlex.split(options))[0]
