"""Turns mpv user shaders into passes: reads the blocks of a file and runs them as mpv does."""
