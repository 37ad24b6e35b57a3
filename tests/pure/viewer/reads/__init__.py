"""Tests `viewer.reads` without GL."""
