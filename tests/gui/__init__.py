"""Promises of the window, driven with a real mouse and keys on a virtual display."""
