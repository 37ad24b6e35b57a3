"""Reads a recorded run of TensorFlow.js: its manifest, and textures as tensors; without their meaning."""
