"""Probe pages, without a browser."""
