"""Feeds inputs: files, test patterns, painted pictures, played folders, videos and cameras."""
