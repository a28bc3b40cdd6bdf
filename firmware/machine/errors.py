"""Errors in how the program is called, and how they are reported."""

from __future__ import annotations

from collections.abc import Callable

Say = Callable[[str], object]
"""Prints one line for the user."""


class UsageError(Exception):
    """Wrong use or unusable input; the text is one line that says what to do."""
