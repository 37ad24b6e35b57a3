"""Runs calls on tensors: a GL context, its textures, a plan for each kind of call."""
