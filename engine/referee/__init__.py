"""The referee, pure: what was seen, which action explains it, what to say. No input or output; it is told the time."""
