"""The log as a file: its tables, the chain of its rows, and old versions brought up to date."""
