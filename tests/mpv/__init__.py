"""Trained networks that people publish as mpv user shaders: opened unchanged, read as networks, compared by pass."""
