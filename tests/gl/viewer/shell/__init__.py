"""Tests what the window does with files, on a real context."""
