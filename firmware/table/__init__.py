"""The loop from frame to lights: one table, match after match."""
