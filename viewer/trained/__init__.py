"""Draws parts of the Training panel: the loss as a curve, and what is wrong with the training."""
