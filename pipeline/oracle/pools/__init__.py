"""Vectorised numpy versions of pools, one a module, made as those in `pipeline.oracle.fast`."""
