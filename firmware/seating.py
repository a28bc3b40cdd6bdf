"""Who sits where: the colours that are really played with, in seat order, and the players' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core import COLOURS
from engine.players.levels import Level, find_level
from engine.referee.reading import Reading
from firmware.errors import UsageError
from firmware.store_record import Player

LONGEST_NAME = 40


def one_line(name: str) -> str:
    """A name as it is kept."""
    return " ".join(name.split())[:LONGEST_NAME]


@dataclass(frozen=True)
class Seating:
    """The players in seat order. The rules know seats by red, yellow, green, blue; the pieces may be others."""

    players: tuple[Player, ...]

    @classmethod
    def parse(cls, text: str) -> Seating:
        """`2`, or colours in seat order with names if wished: `red,blue`, `red=Ada,blue=Ben`."""
        if text.isdecimal() and int(text) <= len(COLOURS):
            return cls(tuple(Player(colour, colour) for colour in COLOURS[: int(text)]))
        if text.isdecimal():
            raise UsageError(f"--players must be at most {len(COLOURS)}, not {text}")
        players: list[Player] = []
        for part in text.split(","):
            colour, _, name = part.strip().partition("=")
            if colour not in COLOURS or any(player.colour == colour for player in players):
                raise UsageError(
                    f"--players wants different colours of {', '.join(COLOURS)} in seat order, not {text!r}"
                )
            said = one_line(name)
            if not said.isprintable():
                raise UsageError(f"--players: the name {name!r} cannot be shown; write it with other letters")
            players.append(Player(said or colour, colour))
        return cls(tuple(players))

    def __len__(self) -> int:
        return len(self.players)

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(player.colour for player in self.players)

    @property
    def levels(self) -> Mapping[int, Level]:
        """The seats that the program plays, and how well."""
        return {
            seat: find_level(str(player.level)) for seat, player in enumerate(self.players) if player.level is not None
        }

    @property
    def to_seat_colours(self) -> Mapping[str, str]:
        """For every colour on the table the colour by which the rules know its seat."""
        mine = [player.colour for player in self.players]
        return dict(zip([*mine, *(colour for colour in COLOURS if colour not in mine)], COLOURS, strict=True))

    @property
    def to_table_colours(self) -> Mapping[str, str]:
        """The other way round."""
        return {known: colour for colour, known in self.to_seat_colours.items()}

    def on_table(self, faces: Mapping[str, str]) -> dict[str, str]:
        """Faces as the rules know them, in the colours that are played with."""
        return renamed(faces, self.to_table_colours)

    def by_rules(self, faces: Mapping[str, str]) -> dict[str, str]:
        """Faces as they are on the table, in the colours that the rules know."""
        return renamed(faces, self.to_seat_colours)

    def seen_by_rules(self, reading: Reading) -> Reading:
        """A reading with the colours that the rules know."""
        colours = self.to_seat_colours
        if all(colour == known for colour, known in colours.items()):
            return reading
        sites = {
            site: {_renamed(face, colours): value for face, value in likelihoods.items()}
            for site, likelihoods in reading.sites.items()
        }
        return replace(reading, sites=sites)


def _renamed(face: str, colours: Mapping[str, str]) -> str:
    colour = face.rstrip("0123456789")
    return colours.get(colour, colour) + face[len(colour) :]


def renamed(faces: Mapping[str, str], colours: Mapping[str, str]) -> dict[str, str]:
    return {site: _renamed(face, colours) for site, face in faces.items()}


def names_of(players: Sequence[Player]) -> str:
    return ", ".join(
        player.name if player.name == player.colour else f"{player.name} ({player.colour})" for player in players
    )
