"""Defines the program's own operators (`pipeline.graph.OWN_DOMAIN`) in numpy, one family a module.

A module lists functions by operator in `OPERATORS`, as those in `pipeline.oracle.fast` do. There is no other
definition of these operators: they are written to be read.
"""
