"""The one door to files from outside, and what goes through it."""
