"""Tests `viewer.panels` on a GL driver."""
