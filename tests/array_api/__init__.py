"""Checks every name of the Python array API against array-api-strict, the standard's own strict implementation."""
