"""What `viewer.help` promises, without GL."""
