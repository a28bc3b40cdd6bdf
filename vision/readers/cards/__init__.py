"""Cards that lie on a lattice, each of a known set at most once: which, where, and which way round."""
