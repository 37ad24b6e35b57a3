"""Evaluates the graph in numpy: the expected value of every tensor."""
