"""What `runs` promises, without GL."""
