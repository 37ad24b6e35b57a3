"""What is computed instead, as a function: of one value, of all that a reduction joins, on which part of the result."""
