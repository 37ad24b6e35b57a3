"""What `gl` promises, on a GL driver."""
