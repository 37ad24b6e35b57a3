"""Runs work that nothing can interrupt in another process, which can be ended."""
