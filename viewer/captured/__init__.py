"""Compares a capture of another device with the open session."""
