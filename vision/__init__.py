"""How a picture becomes a reading: numpy and OpenCV, pure functions. Knows boards, not rules."""
