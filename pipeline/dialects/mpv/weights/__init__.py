"""The weights in an mpv user shader beside those of a model: the first layer that differs, and the literal's line."""
