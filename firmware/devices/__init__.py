"""Cameras, lights, buttons and the pins they are connected to."""
