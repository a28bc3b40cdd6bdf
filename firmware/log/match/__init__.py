"""A logged match as values, and what they say: who played, what happened, what the clock showed."""
