"""Writes results to files: snapshots, a page, an ejected pipeline, a bundle."""
