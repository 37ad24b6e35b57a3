"""Tests what a pipeline file says of frames."""
