"""Tests of `viewer.editing`."""
