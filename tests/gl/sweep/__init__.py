"""Tests `sweep` on a GL driver."""
