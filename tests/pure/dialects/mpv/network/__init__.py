"""Tests networks read out of shader text."""
