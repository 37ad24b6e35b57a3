"""Tests `viewer.canvas` on a GL driver."""
