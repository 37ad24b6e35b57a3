"""Trains the open model: settings, steps, the loss as a curve, and what is wrong with the training."""
