"""Tests the data of the page that people debug in, without GL."""
