"""Shows and edits the shaders of the selected pass."""
