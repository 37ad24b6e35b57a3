"""Finds out from the figures of training steps why a model does not learn, one module a cause.

A module has `CAUSE`, its name in words, `LEAST_STEPS`, the fewest it judges by, and `find(steps)`, which takes the
observations of steps in a row and returns the findings, the clearest first.
"""
