"""Tests `reload` without GL."""
