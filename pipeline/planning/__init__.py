"""Turns a graph into passes: rewrites nodes and chooses layouts, within the limits of memory."""
