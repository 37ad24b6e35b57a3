"""Tests `diagnose.redo` without GL."""
