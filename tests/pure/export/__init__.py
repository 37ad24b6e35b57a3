"""Tests `export` without GL."""
