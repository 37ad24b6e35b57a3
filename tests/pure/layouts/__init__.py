"""Tests layouts in numpy alone."""
