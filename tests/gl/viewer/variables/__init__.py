"""Tables of variables, of traces that a driver wrote."""
