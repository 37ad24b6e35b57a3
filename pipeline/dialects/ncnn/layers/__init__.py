"""Describes ncnn's layers, one module per kind: their shaders, the shaders' bindings, and their meaning in ONNX."""
