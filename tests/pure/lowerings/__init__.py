"""Forms as data, without GL."""
