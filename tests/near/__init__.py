"""Runs the tests that lie nearest to a change, within a budget of seconds."""
