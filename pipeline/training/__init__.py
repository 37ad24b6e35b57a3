"""Training: forward, loss, backward and update as one graph of passes, and steps whose weights stay on the GPU."""
