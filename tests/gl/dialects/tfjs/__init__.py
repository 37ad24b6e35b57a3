"""What recordings of TensorFlow.js promise, on a GL driver."""
