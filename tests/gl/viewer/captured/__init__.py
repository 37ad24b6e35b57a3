"""Tests `viewer.captured` on a GL driver."""
