"""Tests of what a shader's text means."""
