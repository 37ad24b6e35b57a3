"""Sweeps sizes, layouts, precisions and devices for the smallest size at which a pass is wrong."""
