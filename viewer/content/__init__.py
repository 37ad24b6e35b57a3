"""Prepares what the window shows as data: read-outs, texts, reads, timings, positions of boxes."""
