"""Tests `diagnose.model_slice` without GL."""
