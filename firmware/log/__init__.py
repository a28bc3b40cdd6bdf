"""Matches on disk: written, read, exported, analysed."""
