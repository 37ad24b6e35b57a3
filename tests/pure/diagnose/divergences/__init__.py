"""Tests `diagnose.divergences` without GL."""
