"""What the command line does without a window, one module a command; `app.py` parses and hands over."""
