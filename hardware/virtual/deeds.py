"""What can happen at a table: actions, mistakes, undos and mishaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board import Point
from engine.face import Face
from hardware.virtual.camera import Pose
from hardware.virtual.scene import Light, Spot, Thing


@dataclass(frozen=True, slots=True)
class Play:
    """A legal action, by its text."""

    action: str
    off: Point = (0.0, 0.0)
    """The piece it puts down last comes to stand so far off the middle of its site, mm."""
    lean: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Quick:
    """Several legal actions by one visit of one hand."""

    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A legal action with the hand gone for a while after some of its steps."""

    action: str
    steps: int = 1
    seconds: float = 0.3
    """Out of sight; on its way there and back it is not over the board either."""


@dataclass(frozen=True)
class Mistake:
    """Faces that no legal action makes, put right afterwards or left to the next deed."""

    faces: Mapping[str, Face]
    turns: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    """Codes that name it, the most telling first."""
    restore: bool = True


@dataclass(frozen=True, slots=True)
class Undo:
    """Back to an earlier position of the match."""

    to_ply: int


@dataclass(frozen=True, slots=True)
class Nudge:
    """The board, the camera or both are pushed, within a moment."""

    board_at: Spot | None = None
    pose: Pose | None = None


@dataclass(frozen=True, slots=True)
class Lamp:
    """Another light from now on."""

    light: Light


@dataclass(frozen=True, slots=True)
class Leave:
    """Something is left lying; None: all such things are taken away."""

    thing: Thing | None


@dataclass(frozen=True, slots=True)
class Shove:
    """A hand pushes what stands on a site off its middle, and leans it."""

    site: str
    off: Point
    lean: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Hover:
    """A hand comes, stays above the board, and goes again without doing anything."""

    seconds: float
    over: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Drop:
    """The camera loses this many frames from now on."""

    frames: int = 1


Deed = Play | Quick | Interrupted | Mistake | Undo | Nudge | Lamp | Leave | Shove | Hover | Wait | Drop
