"""Tests `standing` without GL."""
