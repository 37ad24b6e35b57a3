"""The numpy side: what every tensor should be, evaluated from the graph."""
