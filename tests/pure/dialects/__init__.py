"""Tests dialects of engines without GL."""
