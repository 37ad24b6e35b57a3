"""Implements the actions of menus, buttons, keys and the palette, one module a subject."""
