"""What `viewer.editing` promises, without GL."""
