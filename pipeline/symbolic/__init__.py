"""Runs shaders symbolically: what an output element is made of, as a formula over the elements that are read."""
