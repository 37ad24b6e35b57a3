"""Measurements that anyone can repeat, each `python -m benchmarks.NAME`."""
