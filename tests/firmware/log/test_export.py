"""Matches in the formats that others read, and read back."""

from __future__ import annotations

import csv
import json
from io import BytesIO, StringIO
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from engine.core import Game
from engine.face import Face
from engine.match import Match
from engine.registry import all_games, find_game
from firmware.log.exchange.export import COLUMNS, FORMATS, as_json, board_of, board_svg, export, film_svg, moments_of
from firmware.log.exchange.notation import NotationError, score_of, write_notation
from firmware.log.exchange.notation_reading import parse_notation
from firmware.log.match.history import History, tell
from firmware.log.match.record import Event, HistoryError, Played, Player, SavedMatch, TakenBack, Tried, seated
from firmware.log.match.summary import MatchSummary, summarise

WHEN = "2026-01-31T19:30:00+01:00"
SVG = "{http://www.w3.org/2000/svg}"


class Scribe:
    """Plays a match at random and writes down what happens, mistakes and second thoughts and all."""

    def __init__(self, game: Game, players: tuple[Player, ...], dice: Random, mishaps: float = 0.0) -> None:
        seats = len(players)
        variants: list[str | None] = [*game.variants] or [None]
        rules = game.configure(dice.choice(variants))
        setup = rules.deal(seats, dice)
        turns = {sheet.name: dice.randrange(sheet.turns) for sheet in game.board(seats, setup).turnable}
        self.saved = SavedMatch(1, WHEN, game.name, rules.variant, players, rules.options, setup, turns)
        self.match = Match.begin(rules, seats, setup)
        self.dice, self.mishaps = dice, mishaps
        self.events: list[Event] = []

    def note(self, kind: str, **payload: object) -> None:
        self.events.append(Event(len(self.events), WHEN, 0.5 * len(self.events), kind, payload))

    def play(self, plies: int) -> History:
        for _ in range(plies):
            if self.match.position.outcome is not None:
                break
            if self.dice.random() < self.mishaps:
                self.mishap()
            action = self.dice.choice(sorted(self.match.position.legal(), key=str))
            self.note("action", ply=self.match.ply, seat=self.match.position.seat, action=str(action))
            self.match = self.match.play(action)
        return tell(self.saved, self.events)

    def mishap(self) -> None:
        seat = self.match.position.seat
        match self.dice.randrange(5):
            case 0:
                self.note("illegal", seat=seat, rule="enter.middle", sites=["T7", "-3,1"], text="No {way}:\n [no] 1. x")
            case 1:
                self.note("illegal", seat=None, rule="game-over", sites=[], text="")
            case 2 if self.match.ply:
                to_ply = self.dice.randrange(self.match.ply)
                self.note("undo", to_ply=to_ply)
                self.match = self.match.undo(to_ply)
            case 3:
                setup = self.match.position.setup()
                self.note("correction", what="position", setup=setup, turns=self.saved.turns)
                self.match = Match.begin(self.match.rules, self.match.position.players, setup)
            case _:
                self.note("unfinished", sites=["T1"])


def played(game: str, plies: int, players: int = 2, seed: int = 3) -> tuple[History, list[Event]]:
    scribe = Scribe(find_game(game), seated(["Ada", "Бо & <Co>", "Cy", "Di"][:players]), Random(seed))
    return scribe.play(plies), scribe.events


@st.composite
def histories(draw: st.DrawFn) -> tuple[History, Match]:
    game = draw(st.sampled_from(all_games()))
    seats = draw(st.sampled_from(game.seats))
    players = seated(draw(st.lists(st.text(max_size=8), min_size=seats, max_size=seats)))
    scribe = Scribe(game, players, Random(draw(st.integers(0, 10**6))), mishaps=0.3)
    history = scribe.play(draw(st.integers(0, 50)))
    if draw(st.booleans()):
        scribe.note("resign", seat=draw(st.integers(0, seats - 1)))
        scribe.note(draw(st.sampled_from(["draw", "abandon", "names"])), names=["Eve"] * seats)
        history = tell(scribe.saved, scribe.events)
    return history, scribe.match


@settings(max_examples=150, deadline=None)
@given(histories())
def test_notation_is_read_back_as_it_was_written(told: tuple[History, Match]) -> None:
    history, match = told
    score = score_of(history)
    text = write_notation(score)
    assert parse_notation(text) == score
    assert write_notation(parse_notation(text)) == text
    replayed = score.replay()
    assert replayed.actions == match.actions
    assert replayed.positions == match.positions
    assert score.result == history.result


def test_what_was_tried_after_an_action_is_told_after_it_though_it_is_undone() -> None:
    scribe = Scribe(find_game("rings"), seated(["Ada", "Bo"]), Random(0))
    for action in ("+a8", "+c4", "+c3"):
        scribe.note("action", action=action)
    scribe.note("illegal", seat=1, rule="place.taken", sites=["a8"], text="There is a pawn on a8.")
    scribe.note("undo", to_ply=1)
    scribe.note("action", action="+b1")
    entries = score_of(tell(scribe.saved, scribe.events)).entries
    assert [type(entry) for entry in entries] == [Played, TakenBack, Tried, Played]
    assert entries[1] == TakenBack(1, ("+c4", "+c3"))


def test_notation_reads_like_a_score_sheet() -> None:
    scribe = Scribe(find_game("rings"), seated(["Ada", "Bo"]), Random(0))
    scribe.saved = SavedMatch(1, WHEN, "rings", None, seated(["Ada", "Bo"]), {"flying": False}, {}, {"ring-a": 2})
    scribe.note("action", action="+a8")
    scribe.note("illegal", seat=1, rule="place.taken", sites=["a8"], text="There is a pawn on a8.")
    scribe.note("action", action="+c4")
    scribe.note("action", action="+c3")
    scribe.note("undo", to_ply=1)
    scribe.note("action", action="+b1")
    scribe.note("resign", seat=0)
    text = write_notation(score_of(tell(scribe.saved, scribe.events)))
    assert text == (
        '[Game "rings"]\n[Players {"red": "Ada", "yellow": "Bo"}]\n[Date "2026-01-31T19:30:00+01:00"]\n'
        '[Result {"winner": 1, "by": "resign"}]\n[Options {"flying": false}]\n[Turns {"ring-a": 2}]\n\n'
        "1. +a8 {illegal yellow place.taken a8: There is a pawn on a8.} {undone 2. +c4 3. +c3} 2. +b1\n"
        "{resigned red} yellow:resign\n"
    )
    assert parse_notation(text).entries[:3] == (
        Played("+a8"),
        Tried(1, "place.taken", ("a8",), "There is a pawn on a8."),
        TakenBack(1, ("+c4", "+c3")),
    )


HEAD = '[Game "rings"]\n[Players {"red": "Ada", "yellow": "Bo"}]\n[Date "2026"]\n[Result "*"]\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "[Game …] is missing"),
        ("1. +a8 *", "[Game …] is missing"),
        ("[Game rings]", "not a header"),
        (HEAD, "not the end"),
        (HEAD + "\n1. +a8", "not the end"),
        (HEAD + "\n1. +a8 1. +a7 *", "expected action 2"),
        (HEAD + "\n1. +a8 red:last", "the result *"),
        (HEAD + "\n1. +a8 * 2. +a7", "unexpected text after the result"),
        (HEAD + "[Options 5]\n*", "must be a JSON object"),
        (HEAD + "\n[Position 5]\n*", "not a position"),
        (HEAD.replace("red", "pink") + "\n*", "'pink' is not one of"),
        (HEAD.replace('"*"', '{"winner": 7}') + "\n*", "there is no seat 7"),
    ],
)
def test_what_is_no_notation_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_notation(text)
    assert why in str(caught.value)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='[]{}"*.:1 \nGamePlyersRsutD+a8-,', max_size=80))
def test_no_text_breaks_the_reader(rest: str) -> None:
    for text in (rest, HEAD + rest):
        try:
            score = parse_notation(text)
        except NotationError:
            continue
        assert parse_notation(write_notation(score)) == score


def test_json_holds_everything() -> None:
    history, events = played("triominos", 20)
    found = json.loads(export(history, events, "json"))
    assert found == json.loads(json.dumps(as_json(history, events)))
    assert set(found) == {
        *("id", "started", "game", "variant", "players", "options", "setup", "turns"),
        *("result", "actions", "illegal", "events"),
    }
    assert [event["action"] for event in found["events"]] == found["actions"] == history.actions
    assert found["events"][3]["t"] == 1.5
    assert found["players"][1] == {"name": "Бо & <Co>", "colour": "yellow"}


def test_csv_has_a_row_an_event() -> None:
    scribe = Scribe(find_game("memento-tuos"), seated(["Ada", "Bo"]), Random(1), mishaps=0.4)
    history = scribe.play(40)
    rows = list(csv.DictReader(StringIO(export(history, scribe.events, "csv").decode(), newline="")))
    assert len(rows) == len(scribe.events)
    for row, event in zip(rows, scribe.events, strict=True):
        assert tuple(row) == COLUMNS
        assert json.loads(row["payload"]) == json.loads(json.dumps(event.payload))
        assert (row["event"], row["action"]) == (event.kind, event.payload.get("action", ""))
    assert {row["colour"] for row in rows if row["event"] == "action"} == {"red", "yellow"}


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_svg_is_well_formed_and_shows_each_moment_once(game: str) -> None:
    history, events = played(game, 30, players=find_game(game).seats[-1])
    root = ElementTree.fromstring(export(history, events, "svg").decode())
    moments = history.moments()
    assert len(moments) == len(history.actions) + 1 == 31
    captions = [element.text for element in root.findall(f"{SVG}g/{SVG}text[@y]")]
    assert captions[0] == "start"
    assert captions[1:] == [moment.caption for moment in moments[1:]]
    used = {element.get("href", "")[1:] for element in root.iter(f"{SVG}use")}
    assert used == {element.get("id") for element in root.iter(f"{SVG}g")} - {None}
    for film in [*root.iter(f"{SVG}animate"), *root.iter(f"{SVG}animateTransform")]:
        times = [float(time) for time in film.get("keyTimes", "").split(";")]
        assert times[0] == 0
        assert times == sorted(times)
        assert len(film.get("values", "").split(";")) == len(times)


def test_svg_shows_pieces_when_they_are_there() -> None:
    history, _ = played("rings", 25)
    root = ElementTree.fromstring(film_svg(board_of(history), history.moments()))
    for number, moment in enumerate(history.moments()):
        shown = 0
        for group in root.findall(f"{SVG}g[@visibility]"):
            film = group.find(f"{SVG}animate")
            assert film is not None
            times = [round(float(time) * len(history.moments())) for time in film.get("keyTimes", "").split(";")]
            states = film.get("values", "").split(";")
            state = [state for time, state in zip(times, states, strict=True) if time <= number][-1]
            shown += state == "visible" and group.find(f"{SVG}circle") is not None
        assert shown == len(moment.faces)


def test_a_still_picture_turns_its_sheets_and_tells_heights() -> None:
    board = find_game("memento-tuos").board(2, {})
    faces = board.faces.read({"T1": "red3", "L2": "yellow1", "nowhere": "red1"})
    still = board_svg(board, faces | {"R1": Face("7", "seven")}, {"tile-T": 1})
    root = ElementTree.fromstring(still)
    assert [element.text for element in root.findall(f"{SVG}text")] == ["3", "1", "7"]
    angles = [group.get("transform", "").split("(")[1].split()[0] for group in root.findall(f"{SVG}g")]
    assert sorted(angles) == ["0", "0", "0", "0", "120"]


@pytest.mark.parametrize(("game", "plies"), [("memento-tuos", 60), ("triominos", 12), ("dimenticato", 8)])
def test_gif_has_a_frame_a_moment_and_is_small(game: str, plies: int) -> None:
    history, events = played(game, plies)
    data = export(history, events, "gif")
    film = Image.open(BytesIO(data))
    assert film.format == "GIF"
    assert film.n_frames == len(history.moments()) == plies + 1  # type: ignore[attr-defined]
    assert film.width == 480
    assert len(data) < 1_000_000


OTHERS = (Player("Ada", "blue"), Player("Ben", "red"))
"""Who sits with colours that are not those of the seats."""


def test_films_show_the_colours_that_were_played_with() -> None:
    history = Scribe(find_game("rings"), OTHERS, Random(5)).play(1)
    assert {face.name for face in history.moments()[-1].faces.values()} == {"red"}, (
        "the first seat, as the rules know it"
    )
    assert {face.name for face in moments_of(history)[-1].faces.values()} == {"blue"}
    film = export(history, [], "svg").decode()
    colours = {piece.colour: name for name, piece in board_of(history).pieces.items() if name.startswith("pawn-")}
    standing = ElementTree.fromstring(film).findall(f"{SVG}g[@visibility]//{SVG}circle")
    discs = {circle.get("fill") for circle in standing}
    assert {colours[fill] for fill in discs if fill in colours} == {"pawn-blue"}


@pytest.mark.parametrize("players", [None, OTHERS], ids=["seats", "others"])
def test_gif_shows_the_pieces_in_their_colours(players: tuple[Player, ...] | None) -> None:
    scribe = Scribe(find_game("rings"), players or seated(["Ada", "Ben"]), Random(5))
    history, events = scribe.play(9), scribe.events
    film = Image.open(BytesIO(export(history, events, "gif")))
    film.seek(9)
    picture, board = film.convert("RGB"), board_of(history)
    scale = 480 / board.base.size[0]
    for site, face in moments_of(history)[-1].faces.items():
        x, y = ((board.sites[site].at[k] + board.base.size[k] / 2) * scale for k in (0, 1))
        colour = board.pieces[face.pieces[-1]].colour
        wanted = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
        found = picture.getpixel((round(x), round(y)))
        assert isinstance(found, tuple)
        assert max(abs(a - b) for a, b in zip(wanted, found, strict=True)) < 24


ENDINGS: dict[str, list[dict[str, object]]] = {
    "none": [],
    "resigned": [{"kind": "resign", "seat": 1}],
    "resigned by mistake": [{"kind": "resign", "seat": 0}, {"kind": "correction", "what": "reopen"}],
    "draw": [{"kind": "draw"}, {"kind": "names", "names": ["Eve", "Fay"]}],
    "broken off": [{"kind": "abandon"}],
    "taken back": [{"kind": "draw"}, {"kind": "correction", "what": "take_back", "to_ply": 0}],
}


@pytest.mark.parametrize("game", ["memento-tuos", "rings"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_match_that_is_only_counted_is_as_it_is_told(game: str, ending: str) -> None:
    for seed in range(4):
        scribe = Scribe(find_game(game), seated(["Ada", "Ben"]), Random(seed), mishaps=0.3)
        scribe.play(20)
        for event in ENDINGS[ending]:
            scribe.note(**event)  # type: ignore[arg-type]
        told = tell(scribe.saved, scribe.events)
        counted = summarise(scribe.saved, scribe.events)
        assert counted == MatchSummary(told.players, len(told.actions), told.illegal, told.result)


def test_an_end_that_nobody_wrote_down_is_found_by_playing() -> None:
    rules = find_game("memento-tuos").configure()
    setup = {"sites": {"T7": "red1", "L7": "red1", "R7": "red1", "I6": "red1", "T1": "yellow1"}, "seat": 0}
    saved = SavedMatch(1, WHEN, rules.game.name, rules.variant, seated(["Ada", "Ben"]), rules.options, setup, {})
    last = Event(0, WHEN, 1.0, "action", {"ply": 0, "seat": 0, "action": "I6-I7"})
    assert summarise(saved, [last]).result == {"winner": 0, "by": "middles"}


@pytest.mark.parametrize(
    ("kind", "payload"), [("undo", {}), ("names", {"names": ["Eve"]}), ("correction", {}), ("resign", {"seat": "x"})]
)
def test_what_cannot_be_counted_is_said_in_one_line(kind: str, payload: dict[str, object]) -> None:
    scribe = Scribe(find_game("rings"), seated(["Ada", "Ben"]), Random(1))
    with pytest.raises(HistoryError, match=f"match 1, event 7: {kind} is incomplete"):
        summarise(scribe.saved, [Event(7, WHEN, 0.0, kind, payload)])


def test_every_format_is_made_of_a_match_that_has_hardly_begun() -> None:
    history, events = played("rings", 0)
    assert all(export(history, events, form) for form in FORMATS)
