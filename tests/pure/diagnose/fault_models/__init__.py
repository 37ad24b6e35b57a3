"""What `diagnose.mistakes` promises, without GL."""
