"""Extracts the network from an mpv user shader: reads its text as layers and weights, into an ONNX model."""
