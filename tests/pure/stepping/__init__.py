"""Tests `pipeline.stepping` without GL."""
