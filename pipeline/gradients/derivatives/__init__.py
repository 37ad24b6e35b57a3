"""Derivatives, one module a family.

A module has DERIVATIVES, operator types to functions that write the backward nodes of one node with a `Backward`, and
FLAT, the operators of the family through which nothing flows back. At points without a derivative they take PyTorch's
choice.
"""
