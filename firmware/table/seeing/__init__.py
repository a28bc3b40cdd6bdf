"""What the eye makes of each frame: the board, hands, cards held beside it, the colours in play."""
