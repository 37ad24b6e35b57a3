"""Tests `viewer.canvas` without GL."""
