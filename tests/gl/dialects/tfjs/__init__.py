"""Tests recordings of TensorFlow.js on a GL driver."""
