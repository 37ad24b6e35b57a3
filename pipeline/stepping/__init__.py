"""Steps through the trace of one fragment: the motions, and what is known before each step."""
