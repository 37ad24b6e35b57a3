"""Planted bugs that rules may be written against."""
