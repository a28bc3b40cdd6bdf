"""The virtual table: what a camera over the board would see, with hands, lamps and mishaps, and the truth beside it."""
