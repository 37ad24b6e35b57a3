"""Networks read out of shader text."""
