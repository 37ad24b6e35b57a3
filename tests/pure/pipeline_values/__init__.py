"""Tests the values of pipeline files without GL."""
