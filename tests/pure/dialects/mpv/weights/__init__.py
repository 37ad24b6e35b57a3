"""Weights in shaders beside those of models."""
