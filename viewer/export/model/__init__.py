"""Writes files between frames and in a thread."""
