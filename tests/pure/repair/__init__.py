"""Edits of a wrong shader, as text."""
