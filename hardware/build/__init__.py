"""How the table is built: parts, wiring, stand and camera position. The pages are generated from this data."""
