"""Stacks of stones under a marker: the reader, and the witnesses it hears."""
