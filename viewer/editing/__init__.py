"""Texts that a person edits: what was changed and not saved yet, so that nothing of it is lost."""
