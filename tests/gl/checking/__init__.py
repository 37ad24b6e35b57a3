"""Checks of targets in somebody's own test suite: `texelscope.check`, and the plug-in for pytest."""
