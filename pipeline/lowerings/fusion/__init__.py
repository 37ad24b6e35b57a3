"""Whole runs in as few steps as it takes: which passes join, what is stored, which tensors share a texture."""
