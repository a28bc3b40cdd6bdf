"""Laying the board flat: the picture beside the print that is expected, in even light, and how its sheets lie."""
