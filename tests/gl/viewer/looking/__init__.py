"""Tests `viewer.looking` on a driver."""
