"""Networks and filters as users of mpv and libplacebo write them: mat4 literals, offsets in texel steps."""
