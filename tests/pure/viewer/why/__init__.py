"""Tests `viewer.why` without GL."""
