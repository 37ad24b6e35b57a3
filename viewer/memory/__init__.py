"""Keeps settings, views and ranges from one start to the next."""
