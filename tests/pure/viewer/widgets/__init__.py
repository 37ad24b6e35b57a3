"""Tests `viewer.widgets` without GL."""
