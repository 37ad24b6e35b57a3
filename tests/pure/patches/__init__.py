"""What patches promise, without GL."""
