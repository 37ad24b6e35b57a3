"""Tests `viewer.looking` without GL."""
