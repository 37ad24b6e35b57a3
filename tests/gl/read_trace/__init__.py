"""Tests `taps` on a GL driver."""
