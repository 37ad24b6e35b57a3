"""Translates TensorFlow.js's programs to ONNX nodes, one module per kind."""
