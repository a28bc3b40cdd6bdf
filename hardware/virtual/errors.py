"""Errors of the virtual table; each text is one line that says what is wrong."""

from __future__ import annotations


class VirtualTableError(ValueError):
    """Base class for everything the virtual table refuses."""


class PoseError(VirtualTableError):
    """The camera cannot be there, or does not see the board from there."""


class SceneError(VirtualTableError):
    """A scene with sites, faces, pieces or sheets that the board does not have."""


class ScriptError(VirtualTableError):
    """Something that no hand can do at this table."""
