"""Defines forms: faster computations of the same tensors as plain passes, as data: steps through scratch textures."""
