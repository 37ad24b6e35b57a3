"""Tests `viewer.controls` without GL."""
