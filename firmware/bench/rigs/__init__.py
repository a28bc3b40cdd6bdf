"""Test rigs for the benchmarks: matches, evenings, killed programs, and how they are scored."""
