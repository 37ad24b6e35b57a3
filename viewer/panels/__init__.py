"""Contains the panels, one module each; `viewer.panel` finds them."""
