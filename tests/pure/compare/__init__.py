"""Tests `compare` without GL."""
