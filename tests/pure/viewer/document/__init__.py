"""What `viewer.document` promises, without GL."""
