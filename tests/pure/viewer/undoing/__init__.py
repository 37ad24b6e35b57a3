"""Tests undo and redo without a window."""
