"""Runs a network in other engines beside this one, in turns on one machine: `python -m benchmarks.peers`."""
