"""What `sweep` promises, without GL."""
