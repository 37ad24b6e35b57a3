"""Tests the dialect of ncnn without GL."""
