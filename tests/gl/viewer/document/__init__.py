"""Tests `viewer.document` on a GL driver."""
