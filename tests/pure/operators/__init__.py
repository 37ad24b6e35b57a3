"""Tests `operators` without GL."""
