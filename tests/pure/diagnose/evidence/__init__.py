"""What `diagnose.evidence` promises, without GL."""
