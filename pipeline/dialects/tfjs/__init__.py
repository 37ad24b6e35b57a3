"""Opens a recorded run of TensorFlow.js's WebGL backend: each of its programs becomes a pass, unchanged."""
