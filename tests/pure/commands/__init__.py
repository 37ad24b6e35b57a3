"""What `commands` promises, without GL."""
