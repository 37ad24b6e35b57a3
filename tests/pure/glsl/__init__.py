"""Tests `glsl` without GL."""
