"""Tests `reduce` without GL."""
