"""Tests pipeline files on the driver."""
