"""Decides which value has which colour, as plain data: ranges by layer, pictures, other layouts, colour maps."""
