"""Collects the reads of an element, and the products that they contribute to its sum."""
