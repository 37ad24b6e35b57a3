"""Feeds inputs by hand or over time: strokes that can be undone, played folders, videos and cameras."""
