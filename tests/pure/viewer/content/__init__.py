"""Tests `viewer.content` without GL."""
