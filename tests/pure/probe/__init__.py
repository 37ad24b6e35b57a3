"""Tests probe pages without a browser."""
