"""Tests `viewer.graph.model`."""
