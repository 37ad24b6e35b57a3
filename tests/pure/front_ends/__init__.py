"""Tests `front_ends` without GL."""
