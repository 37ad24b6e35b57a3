"""Fuses whole runs into the fewest steps: which passes join, what is stored, which tensors share a texture."""
