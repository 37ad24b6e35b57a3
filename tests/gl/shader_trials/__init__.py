"""Tests `shader_trials`."""
