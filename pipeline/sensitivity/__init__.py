"""Which pass the outputs hang on: each one's result rounded alone, and what becomes of that at the end."""
