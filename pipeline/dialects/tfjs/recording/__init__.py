"""Reads a recorded run of TensorFlow.js: files, entries, textures as tensors; without their meaning."""
