"""Provides what the numpy operators share: windows, resizing, attention, quantisation, and work over threads."""
