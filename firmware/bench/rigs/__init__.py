"""What the benchmarks try things on: matches, evenings, kills, and how they are scored."""
