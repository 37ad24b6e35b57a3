"""Finds where an author's text declares and uses its names, in files as they are written, and renames them."""
