"""Tests `runs` without GL."""
