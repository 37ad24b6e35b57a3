"""Tensors that are computed with as one writes them."""
