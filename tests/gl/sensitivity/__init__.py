"""Tests `sensitivity` on a GL driver."""
