"""Shows the figures of the selected layer and of one texel."""
