"""What `export` promises, without GL."""
