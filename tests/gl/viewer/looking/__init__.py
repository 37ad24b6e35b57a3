"""Tests `viewer.looking` on a GL driver."""
