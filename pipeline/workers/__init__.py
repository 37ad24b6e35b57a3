"""Work that nothing can interrupt, in a process of its own that can be ended."""
