"""`magister log`: lists, shows, analyses, exports, imports and verifies the matches on disk."""

from __future__ import annotations

import argparse
import json
from contextlib import AbstractContextManager
from pathlib import Path

from engine.core import GameError, Json
from firmware.commands import Commands
from firmware.log.analysis import as_data, as_lines, commented, judged
from firmware.log.claim import own_log
from firmware.log.discretion import held_back
from firmware.log.disk.file import parts_of
from firmware.log.disk.place import default_log
from firmware.log.exchange.export import FORMATS, PICTURES, as_json, as_text, export
from firmware.log.exchange.importing import Draft, import_match, read_match
from firmware.log.filing import is_removed, put_away, rename_players
from firmware.log.match.history import History
from firmware.log.match.record import Event
from firmware.log.store import LogDamagedError, LogError, Store
from firmware.machine.clock import wall_clock
from firmware.machine.errors import UsageError
from firmware.machine.files import read_text, write_whole
from firmware.settings.arguments import add_language, whole_number
from firmware.table.events import counted

UNDECIDED = {"draw": "a draw", "abandon": "abandoned", "resign": "undecided (a player resigned)"}


def register(commands: Commands) -> None:
    parser = commands.add_parser("log", help="list, show, analyse, export, import or check saved matches")
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="ACTION")
    listed = deeds.add_parser("list", help="list all matches, one per line")
    shown = deeds.add_parser("show", help="print one match in text notation")
    exported = deeds.add_parser("export", help="write one match to a file")
    judged = deeds.add_parser("analyse", help="say how good each action of a match was, and what was better")
    checked = deeds.add_parser("verify", help="check the file, its hashes, and every action against the rules")
    imported = deeds.add_parser("import", help="take in matches that were exported as JSON or text notation")
    renamed = deeds.add_parser("rename", help="give the players of a match other names")
    removed = deeds.add_parser("remove", help="leave a match out of lists and statistics; the file keeps it")
    kept = deeds.add_parser("put-back", help="list a match again that was removed")
    for deed in (listed, shown, exported, judged, checked, imported, renamed, removed, kept):
        # `run` and `demo` call it --log.
        deed.add_argument("--file", "--log", metavar="F", type=Path, help="match log (default: this machine's)")
    for deed in (listed, shown, judged, checked):
        deed.add_argument("--json", action="store_true", help="print one JSON document")
    listed.add_argument("--removed", action="store_true", help="list the matches that were removed instead")
    imported.add_argument("exported", metavar="EXPORTED", type=Path, nargs="+", help="file with a match")
    for deed in (shown, exported, judged, renamed, removed, kept):
        deed.add_argument("id", metavar="ID", type=whole_number, help="number of the match")
    renamed.add_argument("names", metavar="NAMES", help="names in seat order, separated by commas: Ada,Ben")
    exported.add_argument("--format", choices=FORMATS, required=True, help="file format")
    exported.add_argument(
        "--comments", action="store_true", help="add the comments of `log analyse` (format text only)"
    )
    for deed in (exported, judged):
        add_language(deed)
    for deed in (shown, exported, judged):
        deed.add_argument(
            "--director", action="store_true", help="also show what players may not look up while the match goes on"
        )
    exported.add_argument("--out", metavar="FILE", type=Path, required=True, help="file to write")
    listed.set_defaults(run=_list)
    shown.set_defaults(run=_show)
    exported.set_defaults(run=_export)
    judged.set_defaults(run=_analyse)
    checked.set_defaults(run=_verify)
    imported.set_defaults(run=_import)
    renamed.set_defaults(run=_rename)
    removed.set_defaults(run=_remove, away=True)
    kept.set_defaults(run=_remove, away=False)


def _path(args: argparse.Namespace) -> Path:
    return args.file or default_log()


def _open(args: argparse.Namespace) -> Store:
    return Store(_path(args), read_only=True)


def _list(args: argparse.Namespace) -> int:
    with _open(args) as store:
        numbers = [number for number in store.ids() if _is_removed(store, number) == args.removed]
        rows = [_summary(store, number) for number in numbers]
    if args.json:
        print(json.dumps(rows))
        return 0
    for row in rows:
        if "error" in row:
            print(f"{row['id']:4}  {row['error']}")
            continue
        players = ", ".join(_spoken(player) for player in row["players"])
        game = f"{row['game']} {row['variant'] or ''}".strip()
        tries = f", {row['illegal']} illegal" if row["illegal"] else ""
        told = f"{counted(row['actions'], 'action')}{tries}, {_result(row)}"
        print(f"{row['id']:4}  {row['started'][:16].replace('T', ' ')}  {game:<22}  {players}: {told}")
    return 0


def _is_removed(store: Store, number: int) -> bool:
    try:
        return is_removed(store.events(number))
    except LogError:
        return False


def _summary(store: Store, number: int) -> Json:
    try:
        history = store.history(number)
    except LogError as error:
        return {"id": number, "error": str(error)}
    saved = history.saved
    return {
        "id": number,
        "started": saved.started,
        "game": saved.game,
        "variant": saved.variant,
        "players": [player.record() for player in history.players],
        "result": history.result,
        "actions": len(history.actions),
        "illegal": history.illegal,
    }


def _spoken(player: Json) -> str:
    return f"{player['name']} ({player['colour']})" if player["name"] else str(player["colour"])


def _result(row: Json) -> str:
    result = row["result"]
    if result is None:
        return "unfinished"
    winner = result.get("winner")
    if winner is None:
        return UNDECIDED.get(result["by"], str(result["by"]))
    seats = winner if isinstance(winner, list) else [winner]
    return f"{' and '.join(row['players'][seat]['colour'] for seat in seats)} won by {result['by']}"


def _show(args: argparse.Namespace) -> int:
    history, events = _told(args)
    print(json.dumps(as_json(history, events)) if args.json else as_text(history).rstrip())
    return 0


def _told(args: argparse.Namespace) -> tuple[History, list[Event]]:
    """A match as it may be told to anyone; to the director whole."""
    with _open(args) as store:
        history, events = store.history(args.id), store.events(args.id)
    return (history, events) if args.director else held_back(history, events)


def _not_yet(args: argparse.Namespace) -> UsageError:
    return UsageError(
        f"match {args.id} is not over, and this would tell what its players must remember: "
        "wait until it is over, or use --director"
    )


def _export(args: argparse.Namespace) -> int:
    history, events = _told(args)
    if history.is_held_back and (args.comments or args.format in PICTURES):
        raise _not_yet(args)
    if args.comments and args.format != "text":
        raise UsageError("only text notation can carry comments: use --format text")
    made = commented(history, args.lang) if args.comments else export(history, events, args.format)
    write_whole(args.out, made, spared=parts_of(_path(args)))
    return 0


def _analyse(args: argparse.Namespace) -> int:
    history, _ = _told(args)
    if history.is_held_back:
        raise _not_yet(args)
    judgements = judged(history)
    if args.json:
        print(json.dumps(as_data(history, judgements, args.lang)))
    else:
        print("\n".join(as_lines(history, judgements, args.lang)))
    return 0


def _verify(args: argparse.Namespace) -> int:
    matches = events = 0
    try:
        with _open(args) as store:
            problems = store.problems()
            matches, events = store.size()
    except LogDamagedError as error:
        problems = [str(error)]
    if args.json:
        print(json.dumps({"ok": not problems, "matches": matches, "events": events, "problems": problems}))
    elif problems:
        print("\n".join(problems))
    else:
        print(f"{matches} matches with {events} events, no problems found")
    return 1 if problems else 0


def _import(args: argparse.Namespace) -> int:
    drafts = [(path, _draft(path)) for path in args.exported]
    with own_log(_path(args)) as store:
        for path, draft in drafts:
            try:
                print(f"{path} is now match {import_match(store, draft, wall_clock())}")
            except GameError as error:
                raise UsageError(f"{path}: {error}") from error
    return 0


def _draft(path: Path) -> Draft:
    try:
        return read_match(read_text(path))
    except GameError as error:
        raise UsageError(f"{path}: {error}") from error


def _own(args: argparse.Namespace) -> AbstractContextManager[Store]:
    """A log that is there, to write to."""
    _open(args).close()
    return own_log(_path(args))


def _rename(args: argparse.Namespace) -> int:
    names = [name.strip() for name in args.names.split(",")]
    with _own(args) as store:
        try:
            rename_players(store, args.id, names, wall_clock())
        except GameError as error:
            raise UsageError(str(error)) from error
    return 0


def _remove(args: argparse.Namespace) -> int:
    with _own(args) as store:
        put_away(store, args.id, args.away, wall_clock())
    return 0
