"""Tests `workers`."""
