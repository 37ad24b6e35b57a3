"""Fragment shaders rewritten so that they write down what they do: each statement, value, decision and read."""
