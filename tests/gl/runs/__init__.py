"""Tests `runs` on a GL driver."""
