"""Manages the open target: opens, runs, compares, diagnoses and exports it, between frames and in threads."""
