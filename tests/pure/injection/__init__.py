"""What `injection` promises, without GL."""
