"""One folder per game. `engine.registry` finds every folder with a `GAMES`; nothing else needs to know it."""
