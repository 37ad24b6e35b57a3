"""Asks before a window or a target with unsaved work is closed."""
