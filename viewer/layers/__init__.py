"""Lists the layers, and selects, filters and injects them."""
