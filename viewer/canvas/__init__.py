"""Draws a texture as a picture, with tiles, labels and reads over it."""
