"""Bugs in what a shader computes."""
