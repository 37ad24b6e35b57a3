"""Implements the command `texelscope`: its command line and its start-up."""
