"""What `viewer.training` promises, without GL."""
