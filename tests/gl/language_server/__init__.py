"""Tests `texelscope.language_server` with a client over its standard streams."""
