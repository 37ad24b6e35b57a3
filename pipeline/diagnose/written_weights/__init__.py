"""Compares the numbers written in a shader's text with the model's weights, and tries the model's in their place."""
