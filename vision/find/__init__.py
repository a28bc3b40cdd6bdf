"""Finding the board in a picture: its fiducials, the lens and where the camera is."""
