"""Reads passes of effects that were translated to GLSL: runs them on values that represent texels, as a network."""
