"""Tests of what an assistant may call."""
