"""Tests `viewer.colour` without GL."""
