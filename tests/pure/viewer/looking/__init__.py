"""What `viewer.looking` promises, without GL."""
