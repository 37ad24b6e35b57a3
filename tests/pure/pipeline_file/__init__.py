"""Tests pipeline files without GL."""
