"""What `viewer.widgets` promises, without GL."""
