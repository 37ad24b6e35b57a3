"""Holds the search for the layouts of a shader that was opened alone."""
