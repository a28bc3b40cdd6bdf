"""Computer players for any game: opponents, hints with reasons, analysis. Nothing here knows a particular game."""
