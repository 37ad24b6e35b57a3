"""Holds shaders in the style of those that people bring, each with the model that it computes."""
