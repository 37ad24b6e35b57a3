"""Tests `viewer.inputs` without GL."""
