"""Computes the least time of a pass on this device: its work over the measured peak rates."""
