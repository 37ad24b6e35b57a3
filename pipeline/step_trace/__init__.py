"""Traces one fragment on the driver: every line that it ran, with assignments, reads and branches."""
