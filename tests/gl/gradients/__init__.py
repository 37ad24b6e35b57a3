"""Gradients as passes."""
