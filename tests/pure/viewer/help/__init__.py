"""Tests `viewer.help` without GL."""
