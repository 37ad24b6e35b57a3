"""Repairs in a pipeline file: other bindings, layouts, sizes, numbers and switches, planned as the file would be."""
