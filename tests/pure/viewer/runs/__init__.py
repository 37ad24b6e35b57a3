"""Tests `viewer.runs` without GL."""
