"""Does the work of the command line without a window, one module per command; `texelscope` parses its arguments."""
