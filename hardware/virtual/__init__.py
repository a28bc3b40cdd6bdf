"""The virtual table: what a camera over the board would see, with hands, lamps and mishaps, together with the truth."""
