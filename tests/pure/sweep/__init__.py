"""Tests `sweep` without GL."""
