"""Loads numbers for a model's inputs: pictures, arrays, patterns, within the range of a tensor."""
