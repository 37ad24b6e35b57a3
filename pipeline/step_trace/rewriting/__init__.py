"""Rewrites fragment shaders so that they log each statement, value, decision and read."""
