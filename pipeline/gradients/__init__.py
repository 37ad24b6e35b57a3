"""Builds the backward pass of a model as ONNX nodes: passes with oracle, bounds, taps and diagnosis like any other."""
