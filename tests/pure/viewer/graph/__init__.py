"""Tests `viewer.graph` without GL."""
