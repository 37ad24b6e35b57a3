"""Tests `viewer.leaving` without GL."""
