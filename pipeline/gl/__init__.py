"""A plan, running on GL; knows nothing of what looks at it."""
