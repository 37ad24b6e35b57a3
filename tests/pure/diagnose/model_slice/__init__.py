"""What `diagnose.redo` promises, without GL."""
