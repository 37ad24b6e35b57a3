"""Tries shaders that could crash or hang a driver in another process; their text shows which may."""
