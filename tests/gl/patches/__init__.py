"""Tests patches on a GL driver."""
