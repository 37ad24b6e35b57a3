"""Panels, as far as they need no window."""
