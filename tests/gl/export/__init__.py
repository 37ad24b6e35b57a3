"""What `export` promises, on a GL driver."""
