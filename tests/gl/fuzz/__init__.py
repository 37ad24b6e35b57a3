"""Tests foreign files: those that once did harm, and some generated ones of each kind."""
