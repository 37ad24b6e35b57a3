"""Compares the weights in an mpv user shader with a model's: the first layer that differs, and the literal's line."""
