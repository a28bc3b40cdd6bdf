"""What may have happened since an accepted position, when nothing explains the table from the last one."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Json


@dataclass(frozen=True, slots=True)
class Story:
    """How many actions of the match still stand, and which ones came after them."""

    to_ply: int
    actions: tuple[Action, ...]

    def __str__(self) -> str:
        return " ".join((f"from {self.to_ply}:", *map(str, self.actions)))

    def length(self, ply: int) -> int:
        """How much must have gone unnoticed: actions taken back, and others played."""
        return ply - self.to_ply + len(self.actions)

    def continues(self, other: Story) -> bool:
        """Whether it is that story, perhaps with more actions."""
        return self.to_ply == other.to_ply and self.actions[: len(other.actions)] == other.actions

    def record(self) -> Json:
        return {"to_ply": self.to_ply, "actions": [str(action) for action in self.actions]}
