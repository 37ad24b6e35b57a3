"""Runs the U-Net generator in other engines beside this one, in turns on one machine: `python -m benchmarks.peers`."""
