"""Drafts a pipeline file for shaders: what their declarations say, what can be guessed, and what has to be asked."""
