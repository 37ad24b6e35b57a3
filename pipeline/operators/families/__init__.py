"""ONNX operators as passes, one module a family; shader text is in `shaders/operators`."""
