"""Shaders ejected from small convolutional models and then taken over by hand: inlined, renamed, merged, unrolled."""
