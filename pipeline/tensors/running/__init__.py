"""Where tensors are, and calls on them run: a GL context, its textures, a plan for each kind of call."""
