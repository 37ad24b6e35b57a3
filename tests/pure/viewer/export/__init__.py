"""Tests `viewer.export` without GL."""
