"""Tests `diagnose.rules` without GL."""
