"""Tests `planning` without GL."""
