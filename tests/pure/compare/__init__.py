"""What `compare` promises, without GL."""
