"""Trains the open model in the window: steps between frames, losses, and weights to go back to."""
