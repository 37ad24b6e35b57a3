"""Edits of where something is read: indices, addresses, coordinates and their bounds."""
