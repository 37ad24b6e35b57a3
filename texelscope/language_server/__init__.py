"""Serves an editor that shader files are typed in, over the Language Server Protocol."""
