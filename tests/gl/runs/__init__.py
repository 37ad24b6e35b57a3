"""What `runs` promises, on a GL driver."""
