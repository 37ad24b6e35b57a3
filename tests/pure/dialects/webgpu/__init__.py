"""Tests how recordings of WebGPU are read."""
