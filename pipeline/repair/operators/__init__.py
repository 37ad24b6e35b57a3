"""Defines what a mutation operator is, and what it may ask of the place in a shader that it changes."""
