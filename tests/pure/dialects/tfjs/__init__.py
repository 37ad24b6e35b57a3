"""What recordings of TensorFlow.js promise, without GL."""
