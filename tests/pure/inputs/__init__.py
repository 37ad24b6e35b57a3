"""What `inputs` promises, without GL."""
