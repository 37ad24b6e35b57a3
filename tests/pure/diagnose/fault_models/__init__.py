"""Tests `diagnose.mistakes` without GL."""
