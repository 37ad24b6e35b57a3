"""Tests of pipeline.bench on a driver."""
