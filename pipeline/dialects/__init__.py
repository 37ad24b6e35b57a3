"""Supports dialects, one package per engine: shaders in their original files, and what the engine supplies."""
