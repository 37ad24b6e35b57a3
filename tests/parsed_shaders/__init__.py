"""What parsing makes of every shader of the suites, kept as hashes: a change of the parser shows in them."""
