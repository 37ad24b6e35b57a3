"""A pass asked with designed inputs: which elements of which tensors count for which output, how often."""
