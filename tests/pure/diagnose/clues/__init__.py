"""What `diagnose.clues` promises, without GL."""
