"""Tests `viewer.reads` on a GL driver."""
