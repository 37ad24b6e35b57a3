"""Promises of the window that need no window."""
