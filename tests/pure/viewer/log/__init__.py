"""Tests `viewer.log` without GL."""
