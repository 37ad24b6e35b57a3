"""Keeps the texts that the user edits: what was changed and not saved yet, so that nothing is lost."""
