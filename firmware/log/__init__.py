"""Matches on disk: written, read again, exported, looked at again."""
