"""What `sensitivity` promises, on a GL driver."""
