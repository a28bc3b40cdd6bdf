"""Hints, agreed help, and the seats that the program plays."""
