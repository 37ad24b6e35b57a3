"""What `reload` promises, on a GL driver."""
