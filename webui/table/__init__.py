"""The pages of a running match, and of the table before it."""
