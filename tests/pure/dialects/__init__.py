"""Dialects of engines: what their files say, without GL."""
