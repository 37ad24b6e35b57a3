"""Tests `diagnose.clues` without GL."""
