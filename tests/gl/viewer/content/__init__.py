"""Tests `viewer.content` on a GL driver."""
