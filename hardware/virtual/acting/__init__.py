"""What happens at the virtual table over time: matches, mistakes and mishaps, played by a hand."""
