"""Tests `viewer.variables` on a GL driver."""
