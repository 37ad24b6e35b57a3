"""Compute passes on GL: what a shader has bound beside textures, and dispatching it."""
