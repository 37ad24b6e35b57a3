"""Tests `viewer.shader_editor` on a GL driver."""
