"""Keeps unsaved edits of shaders in files beside the settings, for the start after one that ended without asking."""
