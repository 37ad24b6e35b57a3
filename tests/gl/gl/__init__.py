"""Tests `gl` on a GL driver."""
