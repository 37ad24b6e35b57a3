"""Measures the program in ways that anyone can repeat, each `python -m benchmarks.NAME`."""
