"""Holds programs with generated accessors: getX(b, r, c, d) over flat textures, channels last, plain and packed."""
