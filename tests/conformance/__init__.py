"""ONNX's own node cases, run as framebuffer passes: `python -m tests.conformance`."""
