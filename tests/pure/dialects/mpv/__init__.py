"""Tests mpv user shaders: blocks, expressions, texts."""
