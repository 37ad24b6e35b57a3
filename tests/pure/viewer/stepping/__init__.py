"""Tests `viewer.stepping` without GL."""
