"""Converts an ONNX message to a graph: checks it, infers its shapes, inlines its functions."""
