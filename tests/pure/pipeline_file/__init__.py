"""Pipeline files without GL."""
