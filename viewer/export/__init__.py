"""Saves layers, reports, bundles and folders of shaders, and knows what is not saved yet."""
