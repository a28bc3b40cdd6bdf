"""The program's end of the page: its own process, what goes out and what comes in."""
