"""Dialects: shaders as engines have them, a package an engine; their files as written, and what the engine supplies."""
