"""Tests of `pipeline.glsl.authored`."""
