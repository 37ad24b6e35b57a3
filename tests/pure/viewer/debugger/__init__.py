"""Tests `viewer.debugger` without GL."""
