"""The log as a file: its tables, the chain of its rows, who holds it, and old versions brought up to date."""
