"""What `standing` promises, on a GL driver."""
