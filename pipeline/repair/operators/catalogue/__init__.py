"""The catalogue of mutation operators: every class undoes one mistake, and its examples show which."""
