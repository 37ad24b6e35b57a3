"""Tests `viewer.findings` without GL."""
