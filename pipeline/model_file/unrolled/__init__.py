"""Unrolls control flow, sequences and optional values to plain nodes, for the known values."""
