"""Tests `viewer.training` without GL."""
