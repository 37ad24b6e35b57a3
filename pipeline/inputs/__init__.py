"""Numbers for a model's inputs: pictures, arrays, patterns, and what a tensor can hold."""
