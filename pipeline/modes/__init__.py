"""Runs one shader in every mode and pack of its dialect side by side, to see which of them are wrong."""
