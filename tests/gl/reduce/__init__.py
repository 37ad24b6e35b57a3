"""What `reduce` promises, on a GL driver."""
