"""Tests the values of the open target without a window."""
