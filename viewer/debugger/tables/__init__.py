"""Draws parts of the panels that explain a step: variables, watches, reads, origins, what was given."""
