"""What `standing` promises, without GL."""
