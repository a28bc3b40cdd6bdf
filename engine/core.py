"""What every game is made of: actions, positions, outcomes, refusals, and rules with their options.

Nothing here knows a game. A game's folder subclasses `Rules`, `Position` and `Action` and lists itself as a `Game`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

from engine.board import Board
from engine.face import Face, FaceSet

if TYPE_CHECKING:
    from engine.referee.reading import Reading
    from engine.survey import Survey

COLOURS = ("red", "yellow", "green", "blue")
"""Seat colours in seat order, the same in every game."""


Value = bool | str
"""The value of an option: on or off, or one of a few names."""

Json = dict[str, Any]
"""A JSON object: set-ups, views and results are JSON, so that anyone can store or send them."""


class GameError(Exception):
    """Base of all engine errors; the text is one line a person can act on."""


class UnknownNameError(GameError, LookupError):
    """No game, variant, option or option value of that name."""


class InvalidSetupError(GameError, ValueError):
    """The set-up does not describe a table of this game."""


class InvalidActionError(GameError, ValueError):
    """The text is not an action of this game in any position."""


class IllegalActionError(GameError, ValueError):
    """A well-formed action that the rules forbid in this position."""

    def __init__(self, action: Action, refusals: Sequence[Refusal]) -> None:
        self.action = action
        self.refusals = tuple(refusals)
        super().__init__(f"{action} is not legal: {', '.join(refusal.rule for refusal in refusals)}")


class Word(str):
    """A fact that is a word of the game (Double, red, …) and is translated when a sentence is made."""

    __slots__ = ()


Fact = Word | str | int


class Proof(Enum):
    """How much a broken rule says about what was done, where only the table was seen."""

    DEED = auto()
    """It names what was done."""
    MAYBE_TWO = auto()
    """Two actions in one turn may look the same."""
    COUNT = auto()
    """It only counts what is there, or does not fit it quite: whatever names a deed says more."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not legal: a rule code, the sites concerned, and the facts for the sentence."""

    rule: str
    sites: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    proof: Proof = field(default=Proof.DEED, compare=False)


@dataclass(frozen=True, slots=True)
class Remark:
    """What an action does, in the game's own words: a code of the game's `remarks`, and the facts for the sentence."""

    code: str
    sites: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    victim: int | None = None
    """The seat that loses something by it."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """Something a player had to remember, and whether he did."""

    ply: int
    seat: int
    site: str
    right: bool
    ago: int
    """How many actions ago it was last to be seen."""

    def record(self) -> Json:
        return {"ply": self.ply, "seat": self.seat, "site": self.site, "right": self.right, "ago": self.ago}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. More than one winner only where the rules allow a tie."""

    winners: tuple[int, ...]
    by: str
    scores: tuple[int, ...] = ()

    def record(self) -> Json:
        """The outcome as in the last line of a trace."""
        winner = self.winners[0] if len(self.winners) == 1 else list(self.winners)
        return {"winner": winner, "by": self.by} | ({self.by: list(self.scores)} if self.scores else {})


class Action(ABC):
    """One thing a player does in a turn: a value whose `str` is its one canonical text."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str: ...

    @property
    def turns(self) -> Mapping[str, int]:
        """Sheets of the board that this action turns, with the number of positions, clockwise."""
        return {}


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """No action: legal only where the rules say so."""

    def __str__(self) -> str:
        return "--"


class Position(ABC):
    """The state of a match between two actions. Immutable: an action leads to a new one."""

    __slots__ = ()

    rules: Rules
    players: int
    seat: int | None
    """Whose turn it is; None when the match is over."""
    outcome: Outcome | None
    """None while the match goes on."""

    @abstractmethod
    def legal(self) -> Sequence[Action]:
        """Every action the rules allow now, each once; empty when the match is over."""

    @abstractmethod
    def after(self, action: Action) -> Self:
        """The position after an action known to be legal (`play` checks that)."""

    @abstractmethod
    def objections(self, action: Action) -> Iterable[Refusal]:
        """The rules a well-formed action breaks here, most telling first; called only while the match goes on."""

    @abstractmethod
    def faces(self) -> Mapping[str, Face]:
        """What a camera should see now: the face of every occupied site."""

    @abstractmethod
    def view(self, viewer: int | None) -> Json:
        """Everything this seat may know (None: a spectator). The only way hidden information may leave."""

    @abstractmethod
    def setup(self) -> Json:
        """A set-up from which `Rules.start` recreates this position, while the match goes on."""

    @abstractmethod
    def draw(self) -> str:
        """The table as a picture in plain text, as a spectator sees it."""

    def witnessed(self) -> Self:
        """The same for somebody who has seen nothing but the table: what is hidden from everybody is not known."""
        return self

    def redeal(self, viewer: int | None, random: Random) -> Self:
        """Another position that looks the same to this viewer: everything hidden from them is dealt again."""
        return self

    def key(self) -> Hashable:
        """A key that identifies this position within its match: cheaper to compare than the position."""
        return self

    def turned_to(self, seat: int) -> Self:
        """The same table with this seat to move."""
        return replace(self, seat=seat)  # type: ignore[type-var]  # every position is a dataclass

    def play(self, action: Action) -> Self:
        """The position after this action; raises `IllegalActionError` if the rules forbid it."""
        if refusals := self.refusals(action):
            raise IllegalActionError(action, refusals)
        return self.after(action)

    def refusals(self, action: Action, by: int | None = None) -> tuple[Refusal, ...]:
        """Why this action, by this seat (default: the one to move), is not legal here; empty if it is."""
        if self.outcome is not None:
            return (Refusal("game-over"),)
        if by is not None and by != self.seat and self.seat is not None:
            return (Refusal("not-your-turn", (), {"colour": Word(COLOURS[self.seat])}),)
        if action in self.legal():
            return ()
        return tuple(self.objections(action)) or (Refusal("unknown", (), {"action": str(action)}),)


@dataclass(frozen=True, slots=True)
class Option:
    """A question the rulebook leaves open: a house rule with a name. The first value is the default."""

    name: str
    meaning: str
    values: tuple[Value, ...] = (True, False)
    called: Mapping[str, str] = field(default_factory=dict)
    """What its named readings are called, where their names say too little."""

    @property
    def default(self) -> Value:
        return self.values[0]

    def check(self, value: object) -> Value:
        """Check a JSON value from a trace or a settings file, and return it."""
        for known in self.values:
            if type(known) is type(value) and known == value:
                return known
        raise UnknownNameError(f"option {self.name}: {value!r} is not one of {', '.join(map(spoken, self.values))}")

    def read(self, text: str) -> Value:
        """The value a person typed: `on`, `off`, or a name."""
        typed = {"true": "on", "false": "off"}.get(text.lower(), text.lower())
        for known in self.values:
            if spoken(known) == typed:
                return known
        raise UnknownNameError(f"option {self.name}: {text!r} is not one of {', '.join(map(spoken, self.values))}")


def spoken(value: Value) -> str:
    """A value as a person types it."""
    return value if isinstance(value, str) else "on" if value else "off"


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a match is won."""

    sentence: str
    """Says that `{winner}` has won so."""
    short: str
    """The same in a word or two."""


def as_it_is(board: Board, setup: Json) -> Board:
    """Nothing is laid out on most boards before pieces stand there."""
    return board


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: its names, house rules and words. `configure` turns it into rules."""

    name: str
    title: str
    make: type[Rules]
    bare_board: Callable[[int], Board]
    """The printed board for a number of players: what the camera finds it by, and where pieces stand."""
    fiducials: range
    """The ids of the fiducials on it, which no other game's board has. They never change: printed boards keep them."""
    dress: Callable[[Board, Json], Board] = as_it_is
    """The same board with all that a set-up lays out on it."""
    faces: FaceSet
    """All that a site of its boards can show."""
    options: tuple[Option, ...] = ()
    variants: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """Each variant sets defaults of options; the first variant is the default one. A variant is called by its name."""
    endings: Mapping[str, Ending]
    """How a match is won, for everything that an outcome can be `by`."""
    sentences: Mapping[str, str] = field(default_factory=dict)
    """For every rule code an English sentence with named facts in braces; the key of its translations."""
    brief: Sequence[str] = ()
    """The rules in brief, one paragraph each, in English; the keys of their translations."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """For every code of a remark an English sentence with named facts in braces; the key of its translations."""
    parts: tuple[str, ...]
    """What sheets and pieces are called before the hyphen in their names: `ring`, `pawn`. The base is called `base`."""
    counted: Mapping[str, str] = field(default_factory=dict)
    """What people count beside the board: for a number, or a list by seat, of a spectator's view what it counts."""
    regions: Mapping[str, str] = field(default_factory=dict)
    """What the parts of the board are called, by their sheet: `the left triangle`."""
    seats: tuple[int, ...] = (2, 3, 4)
    covers: bool = False
    """Whether pieces cover what nobody may look at: to lift one and put it back means something."""
    seats_printed: bool = False
    """Whether the board says which colour sits where: then nobody may choose others."""
    memories: frozenset[str] = frozenset()
    """What of a view everybody may know who has paid attention, and nobody may look up while a match goes on."""
    surveyed: bool = False
    """Whether the table tells how a match begins (`Rules.survey`): then nobody deals it beforehand."""
    setup_readers: tuple[str, ...] = ()
    """Which of its board's readers nobody needs any more once a match has begun."""
    anonymous: bool = False
    """Whether nothing on the board tells whose it is: two actions that are seen at once are one player's mistake."""
    luck: bool = False
    """Whether the deal may decide the match: then nobody wins always, however well he plays."""
    lying: str = ""
    """What is said of something left lying on one site (`{sites}`) that looks like nothing of the game, if the game has
    words for it; in English, the key of its translations."""
    opener: str = ""
    """Who begins according to the rulebook, if it says; in English, the key of its translations."""
    rows: Mapping[str, str] = field(default_factory=dict)
    """What is said of the rows (`Rules.rows`) before a match begins: what was `seen` in them (`{counts}`), that
    they are `empty`, or of which ones that is `unsure` (`{unsure}`); in English, the keys of their translations."""
    row_face: Face | None = None
    """What a place in a row shows where something lies."""
    tap: str = ""
    """What the page invites players to tap, to learn where it may go; in English, the key of its translations."""
    placeable: bool = True
    """Whether people can set a position: what stands on the sites and who is to move say enough (`Rules.placed`)."""
    hides: bool = False
    """Whether there is anything that some viewer may not know. Then `view` leaves it out and `redeal` deals it anew."""

    @property
    def package(self) -> str:
        """The folder that all of it is in."""
        return self.make.__module__.rpartition(".")[0]

    def module(self, name: str) -> ModuleType | None:
        """A module of the game's folder that it need not have: `lessons`, `pointing`, `slips`."""
        return _module(f"{self.package}.{name}")

    def board(self, players: int, setup: Json | None = None) -> Board:
        """The board for a number of players: bare, or as a set-up lays it out."""
        bare = self.bare_board(players)
        return bare if setup is None else self.dress(bare, setup)

    def configure(self, variant: str | None = None, options: Mapping[str, object] | None = None) -> Rules:
        """Rules with every option set: explicitly, else by the variant, else by default."""
        if variant is None and self.variants:
            variant = next(iter(self.variants))
        if variant is not None and variant not in self.variants:
            raise UnknownNameError(f"{self.name} has no variant {variant!r}{_choice(self.variants)}")
        given = dict(options or {})
        if strangers := given.keys() - {option.name for option in self.options}:
            known = _choice([option.name for option in self.options])
            raise UnknownNameError(f"{self.name} has no option {min(strangers)!r}{known}")
        defaults = self.defaults(variant)
        decided = {
            option.name: option.check(given[option.name]) if option.name in given else defaults[option.name]
            for option in self.options
        }
        return self.make(self, variant, decided)

    def defaults(self, variant: str | None) -> dict[str, Value]:
        """The options as a variant sets them."""
        own = self.variants[variant] if variant is not None else {}
        return {option.name: own.get(option.name, option.default) for option in self.options}

    def read_option(self, text: str) -> tuple[str, Value]:
        """An option as a person types it: `name=value`."""
        name, equals, value = text.partition("=")
        for option in self.options:
            if option.name == name and equals:
                return name, option.read(value)
        known = _choice([option.name for option in self.options])
        raise UnknownNameError(f"{self.name}: {text!r} is not an option in the form NAME=VALUE{known}")


@cache
def _module(name: str) -> ModuleType | None:
    return None if find_spec(name) is None else import_module(name)


def _choice(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"; there are: {listed}" if listed else "; it has none"


class Rules(ABC):
    """One game with every option set. Immutable, and shared by all its positions."""

    def __init__(self, game: Game, variant: str | None, options: Mapping[str, Value]) -> None:
        self.game = game
        self.variant = variant
        self.options = dict(options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[type[Rules], tuple[Game, str | None, dict[str, Value]]]:
        # Rules may keep tables and caches: another process rebuilds them.
        return type(self), (self.game, self.variant, self.options)

    def __repr__(self) -> str:
        return f"<rules of {self.game.name} {self.variant or ''} {self.options}>"

    def _identity(self) -> tuple[object, ...]:
        return (self.game.name, self.variant, tuple(sorted(self.options.items())))

    @property
    def house_rules(self) -> dict[str, Value]:
        """The options that differ from the variant's defaults."""
        defaults = self.game.defaults(self.variant)
        return {name: value for name, value in self.options.items() if value != defaults[name]}

    def deal(self, players: int, random: Random) -> Json:
        """A random set-up; `{}` if nothing is random."""
        return {}

    def survey(self, players: int, readings: Sequence[Reading], told: Mapping[str, Any]) -> Survey:
        """What the table tells of how a match begins; asked only of games that are `surveyed`.

        `readings` are those since something last moved, with no hand over the board; `told` is what people have said
        about places where the eye was not sure, as the game writes it.
        """
        raise NotImplementedError(f"{self.game.name} is dealt")

    def start(self, players: int, setup: Mapping[str, Any]) -> Position:
        """The position a set-up describes; raises `InvalidSetupError` if it is invalid."""
        if players not in self.game.seats:
            seats = ", ".join(map(str, self.game.seats))
            raise InvalidSetupError(f"{self.game.name} is for {seats} players, not {players}")
        if not isinstance(setup, Mapping):
            raise InvalidSetupError(f"the set-up must be a JSON object, not {type(setup).__name__}")
        return self.begin(players, setup)

    def between(self, before: Face, after: Face) -> Iterable[Face]:
        """Faces that a site may show for a moment while an action changes it from one face to another."""
        return ()

    def rows(self, players: int) -> tuple[tuple[str, ...], ...]:
        """For each seat the sites in which it counts pieces before everybody's eyes; none in most games."""
        return ()

    def beside(self, position: Position) -> Mapping[str, Face]:
        """What lies in those rows if everybody has taken what is due. It is no part of the position, and holds nothing
        up: it tells who did what."""
        return {}

    payment: Action | None = None
    """The action that a row tells which is one shorter."""

    def unseen(self, position: Position) -> Sequence[Action]:
        """The legal actions that no camera can see: a pass, a wrong call, a purchase."""
        before = position.faces()
        return [action for action in position.legal() if not action.turns and position.after(action).faces() == before]

    def sayable(self, position: Position) -> Sequence[Action]:
        """What people may be offered to say that no camera can see. Where something is covered, some of it may not be
        legal: what is legal would tell what is covered."""
        return self.unseen(position)

    def diagnose(self, position: Position, seen: Mapping[str, Face], turned: Mapping[str, int]) -> Iterable[Refusal]:
        """The rules that were broken if the table now shows these faces, and these sheets were turned by so many
        positions (clockwise, less than half a turn): mistakes that people make at a real table, most telling first;
        none if it cannot be named."""
        return ()

    def placed(self, position: Position, sites: Mapping[str, str], seat: int | None) -> Json:
        """The set-up of this position with other faces on the sites, by their names, and another seat to move; only
        asked where the game is `placeable`."""
        return {"sites": dict(sites)} | ({} if seat is None else {"seat": seat})

    def discreet(self, position: Position, setup: Json) -> Json:
        """A set-up of the match that has come to this position, as it may be told while the match goes on."""
        return setup

    def retold(self, position: Position, action: Action) -> str:
        """An action of the match that has come to this position, as it may be told while the match goes on."""
        return str(action)

    def declared(self, position: Position, action: Action) -> Action:
        """What it comes to that people say this was played. Where something is covered, they may be wrong."""
        return self.attempt(position, action) if action in self.sayable(position) else action

    def looked_under(self, position: Position, site: str) -> Action | None:
        """The legal action that it is to lift the piece on this site and to put it back; None: it is only a peek."""
        return None

    def callable(self, position: Position) -> Sequence[str]:
        """The sites of which the player to move may say what is covered there."""
        return ()

    def called(self, position: Position, site: str, number: int) -> Action | None:
        """The action that it is to say this number of what the piece on a site covers; None: it is right, and the piece
        moves. Raises `IllegalActionError` where the player to move may not say it."""
        raise InvalidActionError(f"{number} on {site}: in {self.game.name} nobody says a number")

    # For computer players; these default answers are correct, but slow or vague.

    def worth(self, position: Position) -> Sequence[int]:
        """How well each seat stands in an unfinished match: a hundred is about the worth of one piece."""
        return (0,) * position.players

    def winning(self, position: Position) -> Action | None:
        """An action that wins at once for the player to move, if there is one."""
        for action in position.legal():
            outcome = position.after(action).outcome
            if outcome is not None and outcome.winners == (position.seat,):
                return action
        return None

    def remarks(self, position: Position, action: Action) -> Iterable[Remark]:
        """What a legal action does, most telling first."""
        return ()

    def recollections(self, positions: Sequence[Position], actions: Sequence[Action]) -> Iterable[Recollection]:
        """What the players had to remember in a match that is over, and whether they did."""
        return ()

    def recall(self, position: Position, earlier: Sequence[Position], viewer: int, random: Random) -> Position:
        """A position that this viewer, who remembers these earlier ones, cannot tell from this one."""
        return position.redeal(viewer, random)

    def attempt(self, position: Position, action: Action) -> Action:
        """The result when a player with incomplete knowledge tries this: the action itself, if legal."""
        return action

    @abstractmethod
    def begin(self, players: int, setup: Mapping[str, Any]) -> Position:
        """`start`, after the number of players has been checked."""

    @abstractmethod
    def parse(self, text: str) -> Action:
        """The action for this canonical text; raises `InvalidActionError` if it is not one."""
