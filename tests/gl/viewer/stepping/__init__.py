"""What `viewer.stepping` promises, on a GL driver."""
