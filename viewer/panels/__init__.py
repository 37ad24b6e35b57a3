"""Panels, one module each; `viewer.panels.registry` finds them."""
