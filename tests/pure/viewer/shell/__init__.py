"""Tests `viewer.shell` without GL."""
