"""What `layouts` promises, on a GL driver."""
