"""Evaluates operators as their first opsets defined them, in numpy, one a module, as in `pipeline.oracle.fast`."""
