"""What `diagnose.trial` promises, without GL."""
