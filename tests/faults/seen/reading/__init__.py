"""Bugs in where a shader reads."""
