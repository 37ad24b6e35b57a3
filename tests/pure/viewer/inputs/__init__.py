"""What `viewer.content` promises, without GL."""
