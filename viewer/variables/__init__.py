"""Prepares a fragment's variables before a step as rows: values, plots over turns, scopes, sums."""
