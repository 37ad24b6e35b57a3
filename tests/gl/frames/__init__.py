"""Tests runs of several frames on the driver."""
