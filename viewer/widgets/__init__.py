"""Draws pieces that panels share."""
