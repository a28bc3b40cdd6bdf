"""Single pictures: read, used for calibration, packed for a bug report."""
