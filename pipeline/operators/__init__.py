"""What an operator says of itself, and the arithmetic that families share."""
