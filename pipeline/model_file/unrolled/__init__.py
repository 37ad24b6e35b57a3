"""Control flow, sequences and optional values in plain nodes, as they come out for the values at hand."""
