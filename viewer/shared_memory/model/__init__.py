"""Holds which phase and which invocation of a work group are shown, without any drawing."""
