"""Patches: the repairs of all wrong passes together, as one unified diff of their author's files; nothing is saved."""
