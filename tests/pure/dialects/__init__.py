"""What dialects promise, without GL."""
