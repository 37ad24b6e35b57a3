"""Holds the way of an error through the passes, without any drawing."""
