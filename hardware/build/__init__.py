"""How the table is built: parts, wiring, stand, and where the camera hangs. Pages follow from data."""
