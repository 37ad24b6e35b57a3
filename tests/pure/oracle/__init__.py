"""The numpy oracle: its fast versions against onnx.reference, PyTorch's results and plain loops."""
