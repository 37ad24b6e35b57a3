"""Bugs in how a shader stores."""
