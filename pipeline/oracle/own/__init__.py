"""Defines the program's own operators (`pipeline.graph.OWN_DOMAIN`) in numpy, a module each.

A module defines `OPERATOR`, the operator's name, and `evaluate(invocation) -> tuple of arrays`, as those in
`pipeline.oracle.fast` do. There is no other definition of these operators: they are written to be read.
"""
