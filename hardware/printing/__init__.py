"""Prints a board: pages true to scale, a picture of each sheet, and `board.json`."""
