"""Unsaved work: what there is of it, where it is saved to, and the question before a window or a target is left."""
