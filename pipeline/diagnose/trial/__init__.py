"""One failing pass, a hypothesis about it, and how a hypothesis is judged."""
