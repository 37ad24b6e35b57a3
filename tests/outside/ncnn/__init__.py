"""Tests ncnn's own shaders, unchanged, from its source distribution."""
