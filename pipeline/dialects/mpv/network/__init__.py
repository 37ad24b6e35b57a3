"""The network behind an mpv user shader: its text read as layers and weights, as an ONNX model."""
