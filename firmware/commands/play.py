"""`magister play`: a match in the terminal, the quickest way to try out the rules."""

from __future__ import annotations

import argparse
from random import Random

from engine.core import COLOURS, Action, GameError, IllegalActionError
from engine.match import Match
from engine.players.hints import Hint, advise
from engine.players.levels import Level, decide
from engine.words import ending_sentence, say, sentence
from firmware.coaching.computers import add_seats, computer_seats
from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import add_language, add_rules, add_start, chosen_rules, chosen_setup

HELP = """Type an action (such as {example}), or
  ?            list the legal actions     ? {start:6} only those that start with {start}
  why ACTION   why it is not legal        undo     take back the last action
  hint         where to look; again: which piece; again: what to play, and why
  quit         leave the match"""


def register(commands: Commands) -> None:
    parser = commands.add_parser("play", help="play a match in the terminal")
    add_rules(parser)
    add_start(parser)
    add_language(parser)
    parser.add_argument(
        "--random", metavar="SEATS", default="", help="seats that play random moves, for example yellow (default: none)"
    )
    add_seats(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    rules = chosen_rules(args)
    levels = computer_seats(args.seat, COLOURS[: args.players])
    match = Match.begin(rules, args.players, chosen_setup(args, rules))
    dice = Random(args.seed)
    random_seats = _seats(args.random, args.players)
    if random_seats | levels.keys() == set(range(args.players)):
        raise UsageError("leave at least one seat for a person (to watch the program play, try magister demo)")
    example = str(min(match.position.legal(), key=str))
    print(HELP.format(example=example, start=example[:2]))
    _show(match)
    helper = Helper(args.seed, args.lang)
    while match.position.outcome is None:
        seat = match.position.seat
        assert seat is not None
        if seat in random_seats or seat in levels:
            action = _played(match, levels.get(seat), dice)
            print(f"{COLOURS[seat]} plays {action}")
            match = match.play(action)
            _show(match)
            continue
        try:
            words = input(f"{COLOURS[seat]}> ").split()
        except EOFError:
            print()
            return 0
        if words == ["quit"]:
            return 0
        if words == ["hint"]:
            print(helper.hint(match))
            continue
        match = _obey(match, words, args.lang, random_seats | levels.keys())
    print(outcome_sentence(match, args.lang))
    return 0


def _played(match: Match, level: Level | None, dice: Random) -> Action:
    """The program's move: random, or at the strength of the level."""
    position = match.position
    if level is None:
        return dice.choice(sorted(position.legal(), key=str))
    action, _ = decide(level, position, match.positions[:-1], Random(dice.random()))
    return position.rules.attempt(position, action)


class Helper:
    """Gives hints, a little more each time in the same position."""

    def __init__(self, seed: int, language: str) -> None:
        self._seed, self._language = seed, language
        self._hint: Hint | None = None
        self._ply, self._step = -1, 0

    def hint(self, match: Match) -> str:
        if self._hint is None or self._ply != match.ply:
            self._hint = advise(match.position, match.positions[:-1], Random(self._seed))
            self._ply, self._step = match.ply, 0
        told = (self._hint.nudge, self._hint.figure, self._hint.text)[self._step](self._language)
        self._step = min(self._step + 1, 2)
        return told


def _obey(match: Match, words: list[str], language: str, random_seats: set[int]) -> Match:
    """Carry out one typed line; returns the match after it."""
    try:
        match words:
            case []:
                pass
            case ["?", *beginning]:
                texts = sorted(map(str, match.position.legal()))
                print(" ".join(text for text in texts if text.startswith("".join(beginning))))
            case ["undo"]:
                match = match.undo()
                while match.ply and match.position.seat in random_seats:
                    match = match.undo()
                _show(match)
            case ["why", text]:
                refusals = match.position.refusals(match.rules.parse(text))
                print(
                    "\n".join(sentence(match.rules.game, refusal, language) for refusal in refusals) or "It is legal."
                )
            case _:
                match = match.play(match.rules.parse("".join(words)))
                _show(match)
    except IllegalActionError as error:
        for refusal in error.refusals:
            print(f"{sentence(match.rules.game, refusal, language)} [{refusal.rule}]")
    except GameError as error:
        print(error)
    return match


def _show(match: Match) -> None:
    print(f"\n{match.position.draw()}\n")


def _seats(text: str, players: int) -> set[int]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in COLOURS[:players]:
            raise UsageError(f"unknown seat {name!r}; the seats are: {', '.join(COLOURS[:players])}")
    return {COLOURS.index(name) for name in names}


def outcome_sentence(match: Match, language: str) -> str:
    """How a finished match ended, for people."""
    outcome = match.position.outcome
    assert outcome is not None
    winner = ", ".join(say(COLOURS[seat], language) for seat in outcome.winners)
    return ending_sentence(match.rules.game, outcome.by, winner, language)
