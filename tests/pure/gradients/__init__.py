"""Tests gradients in numpy alone."""
