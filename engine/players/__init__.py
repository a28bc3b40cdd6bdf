"""Players that think ahead, over any game's positions: opponents, hints with reasons, analysis. They know no game."""
