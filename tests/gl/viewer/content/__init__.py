"""What `viewer.content` promises, on a GL driver."""
