"""The U-Net generator in other engines beside this one, taking turns on one machine: `python -m benchmarks.peers`."""
