"""From an empty table to the first action: what is to be played, whether all is ready, what is waited for."""
