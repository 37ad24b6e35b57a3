"""Tests `viewer.variables` without GL."""
