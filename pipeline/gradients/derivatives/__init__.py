"""Defines derivatives, one module per family.

A module has DERIVATIVES, operator types to functions that write the backward nodes of one node with a `Backward`, and
where there are some FLAT, the operators of the family whose inputs get no gradient. At points without a derivative they
take PyTorch's choice.
"""
