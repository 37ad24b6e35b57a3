"""Recurrent cells and norms as passes: gates, mean and variance in textures of their own, softmax in several passes."""
