"""Tests ReShade effects: what is declared in them, and what is refused."""
