"""Translates WGSL to GLSL: reads its text, types its expressions, and writes both row by row."""
