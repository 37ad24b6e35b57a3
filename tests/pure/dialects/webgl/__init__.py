"""Tests how recordings of WebGL are read."""
