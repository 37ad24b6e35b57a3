"""Compute passes as engines for phones have them: packed by four, channel steps, groups, shared memory, reductions."""
