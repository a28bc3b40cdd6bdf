"""Cameras, lights, buttons and the pins they hang on."""
