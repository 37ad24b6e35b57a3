"""What `sweep` promises, on a GL driver."""
