"""Tests training in numpy alone."""
