"""Checks that names, docstrings, messages and imports of the product read easily to a stranger."""
