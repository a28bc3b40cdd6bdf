"""The pages of matches that are in the log."""
