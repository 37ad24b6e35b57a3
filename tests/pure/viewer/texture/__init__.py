"""Tests `viewer.texture` without GL."""
