"""Holds the position in the trace of one fragment, and the sum that it adds up."""
