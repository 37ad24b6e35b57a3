"""Tests `texelscope.language_server` without GL."""
