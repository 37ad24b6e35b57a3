"""Tests `viewer.native` without GL."""
