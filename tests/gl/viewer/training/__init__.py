"""What `viewer.training` promises, on a GL driver."""
