"""Runs compute passes on GL: binds a shader's resources beside textures, and dispatches it."""
