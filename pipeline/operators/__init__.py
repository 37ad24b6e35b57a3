"""ONNX operators as passes, one module each; shader text is in `shaders/operators`."""
