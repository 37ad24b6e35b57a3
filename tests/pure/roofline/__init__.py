"""Tests of pipeline.roofline without GL."""
