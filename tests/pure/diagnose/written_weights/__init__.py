"""Tests `diagnose.trial` without GL."""
