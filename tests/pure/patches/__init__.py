"""Tests patches without GL."""
