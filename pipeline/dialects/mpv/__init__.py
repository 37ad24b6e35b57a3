"""mpv user shaders: the blocks of a file, and the passes that they are."""
