"""What disks and power cuts do to a log: noticed, and mended from what can still be read."""
