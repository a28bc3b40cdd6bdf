"""Who sits where: the colours in use, in seat order, and the players' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core import COLOURS, GameError, Json, Refusal, Word
from engine.face import Face, FaceSet
from engine.players.levels import Level, find_level
from engine.referee.news import Corrected, Illegal, Miscounted, News
from engine.referee.reading import Reading
from engine.spoken import SpokenError
from firmware.log.match.record import Player
from firmware.machine.errors import UsageError

LONGEST_NAME = 40


def one_line(name: str) -> str:
    """A name as it is stored."""
    return " ".join(name.split())[:LONGEST_NAME]


def check_names(names: Sequence[str]) -> None:
    """Refuse two players of one name: nobody could tell them apart, in sentences or in the statistics."""
    for place, name in enumerate(names):
        if name.casefold() in (other.casefold() for other in names[:place]):
            raise SpokenError("Two players are called {name}: please give each a name of their own.", name=name)


@dataclass(frozen=True)
class Seating:
    """The players in seat order. The rules call the seats red, yellow, green, blue; the pieces may differ."""

    players: tuple[Player, ...]

    @classmethod
    def parse(cls, text: str) -> Seating:
        """`2`, or colours in seat order, optionally with names: `red,blue`, `red=Ada,blue=Ben`."""
        if text.isdecimal() and int(text) <= len(COLOURS):
            return cls(tuple(Player(colour, colour) for colour in COLOURS[: int(text)]))
        if text.isdecimal():
            raise UsageError(f"--players must be at most {len(COLOURS)}, not {text}")
        players: list[Player] = []
        for part in text.split(","):
            colour, _, name = part.strip().partition("=")
            if colour not in COLOURS or any(player.colour == colour for player in players):
                raise UsageError(
                    f"--players must be different colours out of {', '.join(COLOURS)}, in seat order, not {text!r}"
                )
            said = one_line(name)
            if not said.isprintable():
                raise UsageError(f"--players: the name {name!r} cannot be displayed; use other letters")
            players.append(Player(said or colour, colour))
        return cls(tuple(players))

    def __len__(self) -> int:
        return len(self.players)

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(player.colour for player in self.players)

    @property
    def levels(self) -> Mapping[int, Level]:
        """The seats the program plays, with their levels."""
        return {
            seat: find_level(str(player.level)) for seat, player in enumerate(self.players) if player.level is not None
        }

    @property
    def to_seat_colours(self) -> Mapping[str, str]:
        """For every colour on the table, the colour the rules use for its seat."""
        mine = [player.colour for player in self.players]
        return dict(zip([*mine, *(colour for colour in COLOURS if colour not in mine)], COLOURS, strict=True))

    @property
    def to_table_colours(self) -> Mapping[str, str]:
        """The other way round."""
        return {known: colour for colour, known in self.to_seat_colours.items()}

    def renamed(self, names: Sequence[str]) -> Seating:
        """The same seats with these names; a player without one is called by the colour."""
        if len(names) != len(self):
            raise GameError(f"{len(names)} names for {len(self)} players")
        named = zip(map(one_line, names), self.players, strict=True)
        players = tuple(replace(player, name=name or player.colour) for name, player in named)
        check_names([player.name for player in players])
        return replace(self, players=players)

    def on_table(self, faces: Mapping[str, Face], known: FaceSet) -> dict[str, Face]:
        """Faces of the rules in the colours in use; `known` are all the faces of the game."""
        return {site: known.recoloured(face, self.to_table_colours) for site, face in faces.items()}

    def by_rules(self, faces: Mapping[str, Face], known: FaceSet) -> dict[str, Face]:
        """Faces on the table in the colours of the rules."""
        return {site: known.recoloured(face, self.to_seat_colours) for site, face in faces.items()}

    def shown(self, setup: Json, known: FaceSet) -> Json:
        """A set-up of the rules in the colours in use."""
        return _recoloured(setup, known, self.to_table_colours)

    def known(self, setup: Json, known: FaceSet) -> Json:
        """The other way round; raises `SpokenError` for a colour that nobody plays."""
        for name in _sites(setup).values():
            colour = known[name].kind if name in known else name
            if colour in COLOURS and colour not in self.colours:
                raise SpokenError("nobody plays {colour}", colour=Word(colour))
        return _recoloured(setup, known, self.to_seat_colours)

    def spoken(self, refusal: Refusal) -> Refusal:
        """A refusal in the colours in use."""
        colours = self.to_table_colours
        facts = {
            name: Word(colours.get(fact, fact)) if isinstance(fact, Word) else fact
            for name, fact in refusal.facts.items()
        }
        return replace(refusal, facts=facts)

    def told(self, news: News, known: FaceSet) -> News:
        """What the referee says, in the colours in use."""
        match news:
            case Illegal():
                return replace(news, refusals=tuple(map(self.spoken, news.refusals)))
            case Miscounted():
                return replace(news, told=self.spoken(news.told))
            case Corrected():
                return replace(news, setup=self.shown(news.setup, known))
            case _:
                return news

    def seen_by_rules(self, reading: Reading, known: FaceSet) -> Reading:
        """A reading in the colours of the rules."""
        colours = self.to_seat_colours
        if all(colour == seat for colour, seat in colours.items()):
            return reading
        sites = {
            _of_seat(site, colours): {known.recoloured(face, colours): value for face, value in likelihoods.items()}
            for site, likelihoods in reading.sites.items()
        }
        return replace(reading, sites=sites, hidden=frozenset(_of_seat(site, colours) for site in reading.hidden))


def _of_seat(site: str, colours: Mapping[str, str]) -> str:
    """A place in the row of a colour (`green$3`) in that of another one."""
    colour, mark, number = site.partition("$")
    return colours[colour] + mark + number if mark else site


def _sites(setup: Json) -> Mapping[str, str]:
    """What stands where; empty if this is not a set-up, which the rules will report."""
    sites = setup.get("sites")
    if isinstance(sites, Mapping) and all(isinstance(face, str) for face in sites.values()):
        return sites
    return {}


def _recoloured(setup: Json, known: FaceSet, colours: Mapping[str, str]) -> Json:
    """A set-up in other colours; a name that no face has is left for the rules to refuse."""
    sites = {
        site: known.recoloured(known[name], colours).name if name in known else name
        for site, name in _sites(setup).items()
    }
    return setup | ({"sites": sites} if sites else {})


def names_of(players: Sequence[Player]) -> str:
    return ", ".join(
        player.name if player.name == player.colour else f"{player.name} ({player.colour})" for player in players
    )
