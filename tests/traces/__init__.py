"""Traces of shaders of every kind, each held against what the pass itself wrote: bit for bit."""
