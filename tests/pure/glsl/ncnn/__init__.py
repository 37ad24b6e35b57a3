"""Tests the translation of ncnn's GLSL extension without GL."""
