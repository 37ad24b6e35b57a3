"""Tests `trace` on a GL driver."""
