"""Saved files, on screen: noticed, planned anew, compiled, run from the first stale pass on."""
