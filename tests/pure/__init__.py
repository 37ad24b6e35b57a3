"""Promises that need no GL: they run anywhere, in seconds."""
