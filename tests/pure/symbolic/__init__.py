"""Tests `symbolic` without GL."""
