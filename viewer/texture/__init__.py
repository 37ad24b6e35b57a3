"""Shows the textures of layers in tabs: mode, range, colours, zoom, picked texel."""
