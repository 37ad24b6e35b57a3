"""Decides which value has which colour, as plain data: ranges by layer, channels of pictures, colour maps."""
