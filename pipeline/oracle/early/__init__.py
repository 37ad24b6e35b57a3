"""Numpy versions of what operators meant in their first opsets, one a module; made as in `pipeline.oracle.fast`."""
