"""Tests `diagnose.hypotheses` without GL."""
