"""Values in place of what cannot run: from files, a folder, the oracle or ONNX Runtime."""
