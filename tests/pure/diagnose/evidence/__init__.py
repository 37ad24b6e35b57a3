"""Tests `diagnose.evidence` without GL."""
