"""Tests of pipeline.roofline on a driver."""
