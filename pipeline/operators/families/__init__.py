"""Implements ONNX operators as passes, one module per family; shader text is in `shaders/operators`."""
