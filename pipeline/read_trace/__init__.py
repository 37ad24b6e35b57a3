"""Taps: which texels one output element really read, and which it should have."""
