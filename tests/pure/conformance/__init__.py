"""Tests the runner of ONNX's node cases, without running any."""
