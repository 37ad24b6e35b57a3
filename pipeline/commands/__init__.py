"""What the command line does without a window, one module a command; `texelscope` parses and hands over."""
