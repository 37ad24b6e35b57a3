"""Tests `compare` on a GL driver."""
