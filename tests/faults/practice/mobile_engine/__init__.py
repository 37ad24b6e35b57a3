"""A mobile engine: channels packed by four, grouped and depthwise layers, pools, two-pass norms, compute shaders."""
