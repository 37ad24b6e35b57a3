"""What `viewer.texture` promises, without GL."""
