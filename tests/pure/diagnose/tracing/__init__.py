"""Tests of functions of a pipeline file taken for graphs."""
