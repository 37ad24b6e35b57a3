"""Gradients, in numpy alone."""
