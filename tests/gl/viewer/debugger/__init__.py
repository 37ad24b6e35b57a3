"""Tests `viewer.debugger` on a GL driver."""
