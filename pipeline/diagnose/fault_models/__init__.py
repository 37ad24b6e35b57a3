"""Fault models: common errors in parts of a layer, a region or a whole result, as arithmetic that generators share."""
