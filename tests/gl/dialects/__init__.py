"""What dialects promise, on a GL driver."""
