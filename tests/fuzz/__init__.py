"""Sends seeded files that anybody might send: each gets its answer or its one line, and nothing else."""
