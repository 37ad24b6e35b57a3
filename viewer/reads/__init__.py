"""Shows which texels an element reads, and which it should read."""
