"""Tests forms as data, without GL."""
