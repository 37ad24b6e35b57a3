"""Provides the shaders that these bugs are planted in."""
