"""Readers by what pieces look like, not by game: stacks of stones under markers, pawns, figures."""
