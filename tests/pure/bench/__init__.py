"""Tests of pipeline.bench without GL."""
