"""Tests `pipeline.debug_adapter` without GL."""
