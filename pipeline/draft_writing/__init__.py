"""Writes a drafted pipeline file with its shaders and its model, in the layouts in which the passes match that."""
