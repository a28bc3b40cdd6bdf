"""What a table shows, and what an action changes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core import Action
from engine.face import EMPTY, Face, Faces

Turns = Mapping[str, int]


@dataclass(frozen=True)
class Stand:
    """What a table shows: the faces of its occupied sites and the positions of its turnable sheets."""

    faces: Faces
    turns: Turns


@dataclass(frozen=True, slots=True)
class Effect:
    """The visible change an action makes."""

    action: Action
    changes: tuple[tuple[str, Face], ...]
    turns: tuple[tuple[str, int], ...]


def after(stand: Stand, effect: Effect) -> Stand:
    """The table once an action's effect has been carried out."""
    faces = dict(stand.faces)
    for site, face in effect.changes:
        if face == EMPTY:
            faces.pop(site, None)
        else:
            faces[site] = face
    turns = dict(stand.turns)
    for name, steps in effect.turns:
        turns[name] = turns.get(name, 0) + steps
    return Stand(faces, turns)


def changed(before: Stand, then: Stand) -> set[str]:
    """The sites that do not show the same in both."""
    sites = before.faces.keys() | then.faces.keys()
    return {site for site in sites if before.faces.get(site) != then.faces.get(site)}
