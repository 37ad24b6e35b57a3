"""Tests `layouts` on a GL driver."""
