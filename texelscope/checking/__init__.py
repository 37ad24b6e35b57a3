"""Compares a target for a test: `texelscope.check`, which fails with the name, the place and the repair of a bug."""
