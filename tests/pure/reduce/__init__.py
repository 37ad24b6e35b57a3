"""What `reduce` promises, without GL."""
