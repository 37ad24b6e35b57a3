"""What `reload` promises, without GL."""
