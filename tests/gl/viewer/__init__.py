"""Promises of the window that need GL but no window."""
