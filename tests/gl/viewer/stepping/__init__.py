"""Tests `viewer.stepping` on a GL driver."""
