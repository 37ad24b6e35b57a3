"""Tests the numeric part of diagnosis, on evidence made by hand."""
