"""What was recorded of a run of TensorFlow.js: files, entries, textures as tensors; not what they mean."""
