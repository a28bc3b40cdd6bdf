"""A phone as the camera: its certificate, its link, the server that it talks to, and the frames that it sends."""
