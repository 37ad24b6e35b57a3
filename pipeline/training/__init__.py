"""Trains models: forward, loss, backward and update are one graph of passes, and weights stay on the GPU."""
