"""What the games are: rules, positions, notation, boards. Standard library only, no input or output."""
