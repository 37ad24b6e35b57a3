"""Training, in numpy alone."""
