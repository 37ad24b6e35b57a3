"""Promises of the tables that explain a step."""
