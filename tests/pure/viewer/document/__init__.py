"""Tests `viewer.document` without GL."""
