"""Shaders of engines, run on GL as they are written."""
