"""What the numpy versions of operators are built of: axes of windows, of resizes, work over threads."""
