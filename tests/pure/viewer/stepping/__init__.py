"""Tests `viewer.stepping` on traces made by hand."""
