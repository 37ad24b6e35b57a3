"""An ONNX message becomes a graph: read, checked, its shapes inferred, its functions opened."""
