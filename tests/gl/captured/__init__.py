"""Captures from elsewhere, judged beside runs on a driver."""
