"""Translated programs give what their originals give."""
