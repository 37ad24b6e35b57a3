"""Tests `viewer.inspector` without GL."""
