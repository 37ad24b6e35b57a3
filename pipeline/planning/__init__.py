"""A graph becomes passes: what is rewritten, stored in which layout, within which memory."""
