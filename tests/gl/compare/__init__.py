"""What `compare` promises, on a GL driver."""
