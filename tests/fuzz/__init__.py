"""Files that a stranger might send, seeded: each gets its answer or its one line, and nothing else."""
