"""Tests shaders in the dialect of ncnn, on a driver."""
