"""Readers by what pieces look like: stacks of stones under markers, pawns, the marks on turnable sheets."""
