"""What `viewer.shell` promises, without GL."""
