"""Passes of a video player: RGBA textures, mat4 literals, both signs of a ReLU, pixel shuffles, places from 0 to 1."""
