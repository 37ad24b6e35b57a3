"""Tests recordings of TensorFlow.js without GL."""
