"""Determines element types and shapes of tensors where ONNX's inference alone does not."""
