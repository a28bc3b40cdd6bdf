"""The physical world, real and virtual: boards to print and build, and a table that exists only in the computer."""
