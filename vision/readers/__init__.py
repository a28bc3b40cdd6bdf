"""Readers, by what pieces look like rather than by game: stacks of stones under markers, pawns, figures."""
