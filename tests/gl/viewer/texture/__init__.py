"""Tests `viewer.texture` on a GL driver."""
