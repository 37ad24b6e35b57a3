"""Layouts, in numpy alone."""
