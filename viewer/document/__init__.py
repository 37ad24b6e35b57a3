"""Manages the open target: opens, runs and compares it, between frames and in threads."""
