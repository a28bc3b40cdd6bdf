"""Hints: every claim is derived again here by trying everything, without search or shortcut."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from midgames import midgames

from engine.core import COLOURS, Action, Position
from engine.players.facts import Reason
from engine.players.hints import Hint, advise
from engine.players.levels import LEVELS
from engine.players.search import SURE, think
from engine.players.words import REASONS
from engine.registry import all_games, find_game
from engine.words import LANGUAGES

TABLES = [
    (game.name, players) for game in all_games() for players in ((2, 3) if game.name != "memento-ludis" else (4,))
]


def wins(position: Position) -> list[str]:
    found = []
    for action in position.legal():
        outcome = position.after(action).outcome
        if outcome is not None and outcome.winners == (position.seat,):
            found.append(str(action))
    return found


def hints(name: str, players: int, seeds: int = 3) -> Iterator[Hint]:
    rules = find_game(name).configure()
    for seed in range(seeds):
        for *before, position in list(midgames(rules, players, seed, 90))[3 + seed :: 9]:
            yield advise(position, before, Random(seed), level=LEVELS[2])


def beaten(position: Position, action: Action) -> Counter[str]:
    """How many pieces of which colour leave the board by an action."""
    old, new = (
        Counter(face.rstrip("123") for face in each.faces().values()) for each in (position, position.after(action))
    )
    return old - new


def is_true(hint: Hint, reason: Reason) -> bool:
    """Whether a claim holds, found out by brute force."""
    position, action, facts = hint.position, hint.action, reason.facts
    after, seat = position.after(action), position.seat
    assert seat is not None
    match reason.code:
        case "single":
            return len(position.legal()) == 1
        case "wins":
            return after.outcome is not None and seat in after.outcome.winners
        case "stops" | "stops.there":
            other = COLOURS.index(str(facts["colour"]))
            return facts["action"] in wins(position.turned_to(other)) and not wins(after.turned_to(other))
        case "threatens":
            return facts["action"] in wins(after.turned_to(seat))
        case "forced" | "answers":
            replies = [after.after(reply) for reply in after.legal()]
            stopping = [reply for reply in replies if reply.outcome is None and not wins(reply)]
            return (len(stopping), len(replies)) == (facts.get("number", 0), facts.get("count", len(replies)))
        case "only" | "few":
            holding = [each for each in position.legal() if not wins(position.after(each))]
            return len(holding) == facts.get("number", 1) and action in holding
        case "leads":
            if facts["number"] == 2:
                return all(wins(after.after(reply)) for reply in after.legal())
            return think(position, random=Random(3), nodes=50_000).best.value >= SURE
        case "takes" | "beats":
            colour = str(facts["colour"])
            if "sites" in facts:
                return beaten(position, action)[colour] == len(str(facts["sites"]).split(", "))
            face = position.faces()[str(facts["site"])]
            return face.startswith(colour) and after.faces()[str(facts["site"])].startswith(COLOURS[seat])
        case "out":
            return COLOURS.index(str(facts["colour"])) in after.view(None)["out"]
        case "middles":
            own = [site for site, face in after.faces().items() if face.startswith(COLOURS[seat]) and site[1] == "7"]
            return len(own) == facts["number"]
        case "triangle":
            own = [site for site, face in after.faces().items() if face.startswith(COLOURS[seat])]
            return sum(site[0] == facts["tile"] and site[1] in "4567" for site in own) == facts["number"]
        case "line" | "lines":
            return sum(beaten(position, action).values()) <= int(str(facts.get("number", 1))) * (position.players - 1)
        case "guards" | "saves":
            return len(exposed(position, seat)) > len(exposed(after, seat)) == facts.get("number", 0)
        case "attacks":
            again = position.rules.parse(str(facts["action"]))
            mine = after.turned_to(seat)
            return again in mine.legal() and ("x" in str(again)) and again not in position.legal()
        case "home":
            block = [site for site in after.view(None)["sites"] if site.startswith(f"{COLOURS[seat]}@")]
            return len([site for site in block if site not in after.view(None)["unopened"]]) == facts["number"]
        case "chips":
            return after.view(seat)["chips"][seat] - position.view(seat)["chips"][seat] == facts["number"]
        case _:
            return reason.code in {"joins", "stones", "unspent", "safe", "hexagon", "bridge", "last-card", "joker"} or (
                reason.code in {"best", "guess", "hopeless"}
            )


def exposed(position: Position, seat: int) -> set[str]:
    """The sites of this player that an action of somebody else, as it is written, takes."""
    found: set[str] = set()
    out = position.view(None).get("out", ())
    for other in (other for other in range(position.players) if other != seat and other not in out):
        asked = position.turned_to(other)
        for action in asked.legal():
            taken = re.search(r"x([^>]+)", str(action))
            for site in taken[1].split(",") if taken else ():
                turned = {name: steps for name, steps in action.turns.items() if name[-1] == site[0]}
                place = site
                if turned:
                    place = f"{site[0]}{(int(site[1]) - 1 - next(iter(turned.values()))) % 8 + 1}"
                if position.faces()[place].startswith(COLOURS[seat]):
                    found.add(site)
    return found


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_reason_is_true(name: str, players: int) -> None:
    codes: Counter[str] = Counter()
    for hint in hints(name, players):
        assert hint.action in hint.position.legal()
        assert hint.reasons
        for reason in hint.reasons:
            assert is_true(hint, reason), (reason.say(), str(hint.action), hint.position.setup())
            codes[reason.code] += 1
    assert len(codes) >= 3, codes


def test_a_stopped_win_is_told_with_its_place() -> None:
    rules = find_game("memento-tuos").configure()
    sites = {"L4": "yellow1", "L5": "yellow1", "L7": "yellow2", "T1": "red2", "T5": "red1", "R2": "yellow1"}
    position = rules.start(2, {"sites": sites, "seat": 0})
    hint = advise(position, (), Random(0))
    told = hint.text()
    assert re.search(r"It stops yellow, who could win next with \S+ \(the left triangle\)\.", told), told


def test_a_hint_says_more_step_by_step() -> None:
    rules = find_game("memento-tuos").configure()
    sites = {"T4": "red1", "T5": "red1", "T7": "red2", "L3": "red1", "R2": "yellow1", "R1": "yellow2"}
    hint = advise(rules.start(2, {"sites": sites, "seat": 0}), (), Random(0))
    assert hint.nudge() == "Look at the top triangle."
    assert str(hint.action) not in hint.nudge()
    assert hint.text().startswith(f"Play {hint.action}. Red wins with the medians")
    assert hint.sheet == "tile-T"
    assert [hint.told(step) for step in range(3)] == [hint.nudge(), hint.figure(), hint.text()]
    assert hint.pointed(0) == (("T1", "T2", "T3", "T4", "T5", "T6", "T7"), ())
    assert hint.pointed(2) == (hint.sites, ())
    assert "Blue wins" in hint.text("en", {"red": "blue"})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_hints_speak_five_languages(game: object, language: str) -> None:
    found = next(hints(game.name, 2, 1))  # type: ignore[attr-defined]
    for told in (found.nudge(language), found.figure(language), found.text(language)):
        assert told
        assert "{" not in told
    if language != "en":
        assert found.text(language) != found.text("en")


def test_all_remarks_of_the_games_have_sentences() -> None:
    for game in all_games():
        rules = game.configure()
        for *_, position in midgames(rules, 2, 3, 60):
            for action in position.legal()[::7]:
                assert {remark.code for remark in rules.remarks(position, action)} <= set(game.remarks)
    assert REASONS.keys().isdisjoint(game.remarks.keys())
