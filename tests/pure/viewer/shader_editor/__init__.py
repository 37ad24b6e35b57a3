"""Tests `viewer.shader_editor` without GL."""
