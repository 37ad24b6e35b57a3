"""Repairs: edits of a wrong pass's text, or of its file, tried on GL, that make all right on other inputs too."""
