"""What `diagnose.rules` promises, without GL."""
