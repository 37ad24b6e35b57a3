"""Steps through the trace of one fragment: position, motions, variables, and the sum that it adds up."""
