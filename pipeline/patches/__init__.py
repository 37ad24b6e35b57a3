"""Makes patches: one unified diff of the author's files that repairs all wrong passes; nothing is saved."""
