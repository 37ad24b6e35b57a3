"""Tests `inputs` without GL."""
