"""The program: commands, threads, pins, files and the clock; everything with an effect lives here."""
