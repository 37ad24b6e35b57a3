"""What `taps` promises, without GL."""
