"""Validates repairs beyond the run that found them: what they read and write, which statements run, other sizes."""
