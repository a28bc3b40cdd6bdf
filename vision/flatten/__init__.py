"""Laying the board flat: the picture in even light, the print expected there, and how the sheets lie."""
