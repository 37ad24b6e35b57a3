"""Shaders that could kill a driver or keep it busy without end: told by their text, tried in a process of their own."""
