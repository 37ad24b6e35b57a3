"""Surrounds the panels: menus, tool bar, dialogs, the tour."""
