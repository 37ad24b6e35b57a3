"""What `operators` promises, without GL."""
