"""Tests `commands` on a GL driver."""
