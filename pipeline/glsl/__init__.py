"""Handles GLSL text: assembles it, parses it, makes it readable; all code for comments, `#version` and trees."""
