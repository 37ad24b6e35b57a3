"""Tests `viewer.timing` on a GL driver."""
