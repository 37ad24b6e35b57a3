"""TensorFlow.js: a recorded run of its WebGL backend, each of its programs a pass, unchanged."""
