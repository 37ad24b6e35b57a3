"""Classifies edits: the error that a repair's text implies, and how reads at other places differ."""
