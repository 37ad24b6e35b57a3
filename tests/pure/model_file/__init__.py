"""Tests `model_file` without GL."""
