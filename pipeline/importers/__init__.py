"""Finds the importer of a file and plans it: one module per kind of target."""
