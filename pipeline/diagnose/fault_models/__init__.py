"""Fault models: common errors of shaders, as arithmetic that several rules share."""
