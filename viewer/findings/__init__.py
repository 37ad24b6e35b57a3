"""Names what is wrong with passes, and applies repairs."""
