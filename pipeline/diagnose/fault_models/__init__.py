"""Ways in which shaders go wrong, as arithmetic that several rules share."""
