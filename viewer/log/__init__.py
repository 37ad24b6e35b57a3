"""Shows the log."""
