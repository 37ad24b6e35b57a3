"""Layers as compute passes, as inference engines for phones dispatch them: packed by four, in blocks and in images."""
