"""Pieces that panels share."""
