"""Evaluates pools in vectorised numpy, one a module, as in `pipeline.oracle.fast`."""
