"""Training as passes."""
