"""What `viewer.colour` promises, without GL."""
