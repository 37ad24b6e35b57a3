"""What TensorFlow.js's programs compute, as nodes of ONNX, one module a kind."""
