"""Tests `taps` without GL."""
