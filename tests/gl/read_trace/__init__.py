"""What `taps` promises, on a GL driver."""
