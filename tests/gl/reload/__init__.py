"""Tests `reload` on a GL driver."""
