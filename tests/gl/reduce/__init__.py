"""Tests `reduce` on a GL driver."""
