"""Draws the network as a graph."""
