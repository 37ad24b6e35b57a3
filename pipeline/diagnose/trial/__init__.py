"""One wrong pass, a hypothesis about it, and how a hypothesis is judged."""
