"""Recurrent, scanning and normalising passes as fragment shaders: cells, temporal convolutions, moments, softmax."""
