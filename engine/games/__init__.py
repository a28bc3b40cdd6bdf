"""One folder a game. A folder that offers `GAMES` is found by `engine.registry`; nothing else has to know it."""
