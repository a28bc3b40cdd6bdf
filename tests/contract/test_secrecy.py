"""Where pieces cover what players must remember, nothing that anybody can reach says it while the match goes on.

The same match is shown and logged with different dice under the figures, the numbers that wrong calls have shown among
them; every way out of the program is walked, and all that comes out must be the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from quick_thinker import QuickThinker

from engine.core import Game, Json
from engine.discretion import discreet_events
from engine.face import spelled
from engine.games.dimenticato.plan import bits
from engine.games.dimenticato.rules import DimenticatoPosition
from engine.match import Match
from engine.referee.news import Accepted, Called, Dealt, Peek
from engine.referee.table import Table
from engine.registry import all_games, find_game
from firmware.commands import cli
from firmware.devices.lights import NoLights
from firmware.devices.signals import picture
from firmware.log.exchange.export import FORMATS
from firmware.log.match.record import seated
from firmware.log.match.seating import Seating
from firmware.log.store import Store
from firmware.page.house import RemoteHouse
from firmware.settings.own import OwnSettings
from firmware.table.beginning.plans import MatchPlan
from firmware.table.events import Said
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.requests.wishes import grant
from firmware.table.state import state_of, trace_of
from webui import create_app
from webui.house import Access
from webui.table.stream import messages

ACCESS = Access("4711", b"not a secret")
WHEN = "2026-01-31T19:30:00+01:00"
RULES = find_game("dimenticato").configure()
GUISES = range(4)
CHANGING = re.compile(r'csrf|(?<=name="token" content=")[^"]+')


@cache
def openings() -> tuple[Json, tuple[str, ...]]:
    """A deal, and actions after which figures of both stand on dice, one of which a wrong call has shown."""
    random = Random(3)
    setup = RULES.deal(2, random)
    match = Match.begin(RULES, 2, setup)
    while match.position.opening():  # type: ignore[attr-defined] # of this game
        quiet = [action for action in match.position.legal() if ">" not in str(action)]
        match = match.play(random.choice(quiet))
    for _ in range(2):
        # Then the first one is to move again, and the number of his own figure was shown.
        match = match.play(next(action for action in match.position.legal() if str(action).endswith("?")))
    return setup, tuple(map(str, match.actions))


def disguised(guise: int) -> Match:
    """The same match with other dice under the figures."""
    setup, actions = openings()
    position = Match.replay(RULES, 2, setup, actions).position
    assert isinstance(position, DimenticatoPosition)
    random, fields = Random(guise), dict(setup["fields"])
    for name in position.names(position.covered):
        fields[name] = {"pips": random.randint(1, 6), "colour": random.choice(("red", "yellow", "green", "blue"))}
    return Match.replay(RULES, 2, setup | {"fields": fields}, actions)


class Film:
    """What the page asks the program: there is no picture, and wishes are granted at once."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.house: RemoteHouse | None = None

    def write(self, line: bytes) -> None:
        assert self.house is not None
        asked = json.loads(line)
        if asked["type"] == "picture":
            self.house.hear({"type": "picture", "id": asked["id"], "jpeg": None})
            return
        told, _ = grant(self.sitting, asked["kind"], asked["payload"])
        self.house.hear({"type": "answer", "id": asked["id"], "refused": None, "told": told})

    def flush(self) -> None:
        pass


def sat_down(match: Match) -> Sitting:
    """The match at a table, with all that has been said of it."""
    sitting = Sitting(Gear(NoLights(), random=Random(4), thinker=QuickThinker()), "paper")
    sitting.play(MatchPlan(RULES, Seating.parse("2")), setup=match.positions[0].setup())
    playing = sitting.playing
    assert playing is not None
    playing.table = Table.begin(match, {})
    site = str(match.actions[-1]).partition(":")[0]
    game = RULES.game
    news = [Dealt({"setup": match.positions[0].setup()})]
    news += [
        Accepted(ply, before.seat, action)  # type: ignore[arg-type] # a match that goes on
        for ply, (action, before) in enumerate(zip(match.actions, match.positions, strict=False))
    ]
    news += [Called(0, site, 3), Peek(site)]
    sitting.events.add([Said(1.0, each, game) for each in news], WHEN)
    return sitting


def logged(match: Match, log: Path, is_abandoned: bool = False) -> None:
    with Store(log) as store:
        number = store.begin_match(RULES, seated(["Ada", "Bo"]), match.positions[0].setup(), started=WHEN)
        store.append(number, "setup", {"setup": match.positions[0].setup()}, at=WHEN, seconds=0)
        for ply, action in enumerate(match.actions):
            payload = {"ply": ply, "seat": match.positions[ply].seat, "action": str(action)}
            store.append(number, "action", payload, at=WHEN, seconds=ply)
        if is_abandoned:
            store.append(number, "abandon", {}, at=WHEN, seconds=match.ply)


def opened(match: Match, log: Path) -> tuple[FlaskClient, RemoteHouse]:
    sitting = sat_down(match)
    sitting.gear.own = OwnSettings(log, None)
    film = Film(sitting)
    house = RemoteHouse(film, log, clock=lambda: 0.0)  # type: ignore[arg-type] # as much of a pipe as is written to
    film.house = house
    news = sitting.events.fresh()
    house.hear({"type": "update", "number": 7, "state": state_of(sitting), "trace": trace_of(sitting), "news": news})
    app = create_app(house, ACCESS)
    app.config["SESSION_COOKIE_SECURE"] = False
    return app.test_client(), house


def addresses(client: FlaskClient, match: Match) -> Iterator[str]:
    """Every address of the page that anybody may get, with every word that it may ask for."""
    game = "dimenticato"
    lesson = "leave"
    for rule in client.application.url_map.iter_rules():
        assert rule.methods is not None
        if "GET" not in rule.methods or rule.endpoint in ("static", "stream.events"):
            continue
        if "form" in rule.arguments:
            yield from (rule.rule.replace("<int:number>", "1").replace("<form>", form) for form in FORMATS)
            continue
        address = rule.rule.replace("<int:number>", "1").replace("<code>", "en")
        yield address.replace("<name>", game).replace("<lesson_name>", lesson)
    yield from (f"{address}/1?everything=1" for address in ("/matches", "/api/v1/matches"))
    position = match.position
    own = [site for site, face in spelled(position.faces()).items() if face == ("red", "yellow")[position.seat or 0]]
    yield from (f"/api/v1/targets?pick={site}" for site in own)
    yield from (f"/api/v1/targets?pick={site}&pick={number}" for site in own for number in (*range(1, 7), "?"))


def walked(match: Match, log: Path) -> dict[str, str]:
    """All that comes out of the page."""
    client, house = opened(match, log)
    found = {}
    for address in addresses(client, match):
        answer = client.get(address)
        assert answer.status_code < 500, address
        text = answer.data.decode("utf-8", "surrogateescape")  # pictures come out, too
        found[address] = CHANGING.sub("", re.sub(r'"token": ?"[^"]+"', "", text))
    update = house.state()
    every = house.wait(0, 0)
    assert every is not None
    assert every.news, "a listener that missed everything"
    found["stream"] = "".join(messages(replace(update, news=every.news), True, "en"))
    return found


@pytest.mark.parametrize("is_abandoned", [False, True], ids=["played", "abandoned"])
def test_nothing_on_the_page_depends_on_what_is_covered(is_abandoned: bool, tmp_path: Path) -> None:
    said = []
    for guise in GUISES:
        log = tmp_path / f"{guise}.sqlite"
        logged(disguised(guise), log, is_abandoned)
        said.append(walked(disguised(guise), log))
    assert len(said[0]) > 40
    for address in said[0]:
        assert len({each[address] for each in said}) == 1, address


def test_the_guises_differ() -> None:
    assert len({json.dumps(disguised(guise).position.setup(), sort_keys=True) for guise in GUISES}) == len(GUISES)
    position = disguised(0).position
    assert isinstance(position, DimenticatoPosition)
    assert position.known, "a number that everybody was told"
    assert len(list(bits(position.covered))) > 4


@pytest.mark.parametrize(
    "words",
    [
        ("show", "1"),
        ("show", "1", "--json"),
        *(("export", "1", "--format", form) for form in FORMATS),
        ("export", "1", "--format", "text", "--comments"),
        ("analyse", "1"),
        ("list", "--json"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("is_abandoned", [False, True], ids=["played", "abandoned"])
def test_nothing_that_the_log_tells_depends_on_it(
    is_abandoned: bool, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = set()
    for guise in GUISES:
        log, out = tmp_path / f"{guise}.sqlite", tmp_path / "out"
        logged(disguised(guise), log, is_abandoned)
        out.unlink(missing_ok=True)
        more = ("--out", str(out)) if words[0] == "export" else ()
        cli.main(["log", *words, *more, "--file", str(log)])
        told = capsys.readouterr()
        said.add((told.out, told.err, out.read_bytes() if out.exists() else b""))
    assert len(said) == 1


def test_the_director_sees_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, log = disguised(1), tmp_path / "log.sqlite"
    logged(match, log)
    assert cli.main(["log", "show", "1", "--json", "--director", "--file", str(log)]) == 0
    assert json.loads(capsys.readouterr().out)["setup"] == match.positions[0].setup()
    client, _ = opened(match, log)
    assert client.post("/api/v1/director", json={}).status_code == 401
    assert client.post("/api/v1/director", json={}, headers={"X-Magister-Pin": "4712"}).status_code == 403
    told = client.post("/api/v1/director", json={}, headers={"X-Magister-Pin": ACCESS.pin}).get_json()["under"]
    position = match.position
    assert isinstance(position, DimenticatoPosition)
    fields = position.setup()["fields"]
    assert told == {name: fields[name] for name in position.names(position.covered)}


def test_the_lights_do_not_depend_on_it() -> None:
    shown = set()
    for guise in GUISES:
        sitting = sat_down(disguised(guise))
        playing = sitting.playing
        assert playing is not None
        assert playing.table is not None
        playing.hear(playing.table, 1.0)
        lights = picture(playing.mood, 1.0, 2, False)
        shown.add(repr((lights, sorted(playing.site_lights(playing.table, 1.0).items()))))
    assert len(shown) == 1


def test_nobody_can_try_numbers_in_vain() -> None:
    """To say that a move was played is to call its number; what no number allows is refused in the same words."""
    for guise in GUISES:
        position = disguised(guise).position
        assert isinstance(position, DimenticatoPosition)
        legal = {str(action) for action in position.legal()}
        for site in position.names(position.figures[position.mover] & position.plan.track):
            for number in range(1, 7):
                supposed = position.supposing(position.figures[position.mover] & position.plan.track, number)
                moves = [each for each in supposed.legal() if str(each).startswith(f"{site}:{number}-")]
                for move in moves[:1]:
                    came = str(RULES.declared(position, move))
                    assert came == (str(move) if str(move) in legal else f"{site}:?") or came == "--"


def test_what_was_said_of_a_die_is_forgotten_when_it_is_covered_again() -> None:
    position = disguised(0).position
    assert isinstance(position, DimenticatoPosition)
    covered = position.names(position.covered)[0]
    free = next(name for name in position.plan.names[: position.plan.size] if name not in spelled(position.faces()))
    events: list[Json] = [
        {"event": "call", "seat": 0, "site": covered, "said": 4},
        {"event": "action", "ply": 0, "seat": 0, "action": f"{covered}:4-{free}"},
        {"event": "action", "ply": 1, "seat": 1, "action": f"{free}:2-{covered}"},
        {"event": "call", "seat": 0, "site": covered, "said": 5},
    ]
    told = discreet_events(position, events)
    assert [each.get("said", each.get("action")) for each in told] == ["…", f"…-{free}", f"{free}:2-{covered}", 5]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_game_without_secrets_under_pieces_is_told_whole(game: Game) -> None:
    if game.covers:
        return
    rules = game.configure()
    position = rules.start(2, rules.deal(2, Random(1)))
    setup = position.setup()
    assert discreet_events(position, [{"event": "correction", "setup": setup}]) == [
        {"event": "correction", "setup": setup}
    ]
