"""Tests `viewer.editing` without GL."""
