"""What `viewer.leaving` promises, without GL."""
