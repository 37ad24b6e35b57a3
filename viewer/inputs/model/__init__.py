"""Paints and plays into inputs: strokes that can be undone, folders, videos and cameras."""
