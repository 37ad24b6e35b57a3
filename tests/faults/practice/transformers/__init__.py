"""Transformer blocks as people write them for WebGL: packed QKV, heads, masks, rotary positions, norms, residuals."""
