"""A benchmark: its contract says what a row is, its collector makes the rows."""
