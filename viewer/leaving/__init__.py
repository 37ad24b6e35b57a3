"""Protects unsaved work: finds it, says where it is saved, and asks before a window or a target is closed."""
