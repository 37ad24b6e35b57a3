"""Draws the controls around a texture: range bar, legend, picture channels, context menu, rows that fit."""
