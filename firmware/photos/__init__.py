"""Single pictures: read, measured on, packed for a bug report."""
