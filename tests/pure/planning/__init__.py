"""What `planning` promises, without GL."""
