"""Planted bugs: shaders and sessions made wrong on purpose, and what a diagnosis has to say about each."""
