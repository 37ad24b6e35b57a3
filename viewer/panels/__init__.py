"""Contains the panels, one module each; `viewer.panels.registry` finds them."""
