"""What can happen at a table: actions, mistakes, undos and mishaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board import Point
from engine.face import Face
from hardware.virtual.camera import Pose
from hardware.virtual.scene import Light, SpacePoint, Thing


@dataclass(frozen=True, slots=True)
class Play:
    """A legal action, by its text."""

    action: str
    off: Point = (0.0, 0.0)
    """How far from the middle of its site the last piece is put down, mm."""
    lean: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Lift:
    """Somebody lifts the piece on a site, looks at what is under it, and puts it back. Where the rules say so, it is an
    action of the player to move."""

    site: str
    seconds: float = 0.8
    """How long it is held aside."""
    seat: int | None = None
    """Whose hand it is; None: that of whose turn it is."""


@dataclass(frozen=True, slots=True)
class Quick:
    """Several legal actions in one visit of one hand, but that it lets go of the board where nothing else would show
    that the next action is another player's."""

    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A legal action with the hand gone for a while after some of its steps."""

    action: str
    steps: int = 1
    seconds: float = 0.3
    """How long it is out of sight; on its way there and back it is not over the board either."""


@dataclass(frozen=True)
class Mistake:
    """Faces that no legal action leads to, or none of this one hand, put right afterwards or left for the next deed."""

    faces: Mapping[str, Face]
    turns: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    """Rule codes that name it, the most telling first."""
    restore: bool = True


@dataclass(frozen=True, slots=True)
class Undo:
    """Back to an earlier position of the match."""

    to_ply: int


@dataclass(frozen=True, slots=True)
class Nudge:
    """The board, the camera or both are suddenly pushed."""

    board_at: SpacePoint | None = None
    pose: Pose | None = None


@dataclass(frozen=True, slots=True)
class Lamp:
    """Different light from now on."""

    light: Light


@dataclass(frozen=True, slots=True)
class Leave:
    """Something is left lying about; None: all such things are taken away."""

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
class Pause:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Drop:
    """The camera loses this many frames from now on."""

    frames: int = 1


Deed = Play | Lift | Quick | Interrupted | Mistake | Undo | Nudge | Lamp | Leave | Shove | Hover | Pause | Drop
