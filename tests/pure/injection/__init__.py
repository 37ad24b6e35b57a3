"""Tests `injection` without GL."""
