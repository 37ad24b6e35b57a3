"""Tests `standing` on a GL driver."""
