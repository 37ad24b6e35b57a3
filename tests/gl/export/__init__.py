"""Tests `export` on a GL driver."""
