"""Provides what the numpy operators share: their invocation, windows, and work over threads."""
