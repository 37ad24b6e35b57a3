"""Translates ncnn's GLSL extension: its shaders become plain compute shaders, in each of its modes."""
