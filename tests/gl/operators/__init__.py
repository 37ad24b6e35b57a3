"""Operators as passes on the software driver, against the oracle."""
