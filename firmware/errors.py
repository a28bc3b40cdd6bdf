"""What a person can do wrong when calling the program."""

from __future__ import annotations


class UsageError(Exception):
    """Wrong use or unusable input; the text is one line that says what to do."""
