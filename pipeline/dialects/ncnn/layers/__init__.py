"""ncnn's layers, one module a kind: which shaders they have, what is bound to these, and what they mean in ONNX."""
