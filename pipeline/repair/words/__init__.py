"""What edits are made of: proposals, and of a shader types, names in scope, macros, weights, words of its version."""
