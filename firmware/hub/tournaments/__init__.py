"""Tournaments: who plays, who plays whom, and how it stands."""
