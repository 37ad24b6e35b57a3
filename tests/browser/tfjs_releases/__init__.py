"""Releases of TensorFlow.js, whose every pass is held against their own CPU backend."""
