"""Tests `commands` without GL."""
