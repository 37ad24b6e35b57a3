"""Puts values in place of passes that cannot run: from files, a folder, the oracle or ONNX Runtime."""
