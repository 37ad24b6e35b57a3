"""Tests `viewer.training` on a GL driver."""
