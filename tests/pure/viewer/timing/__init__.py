"""Tests `viewer.timing` without GL."""
