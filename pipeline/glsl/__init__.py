"""GLSL text: put together, parsed, made readable; the one place that knows comments, `#version` and trees."""
