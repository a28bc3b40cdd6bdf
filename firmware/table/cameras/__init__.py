"""Which camera the table is seen through, and what is told of it."""
