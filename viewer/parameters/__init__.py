"""Shows the numbers that a shader's user may set, and tries each while it is changed."""
