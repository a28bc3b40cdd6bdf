"""Matches in formats that others read, and matches that come from elsewhere."""
