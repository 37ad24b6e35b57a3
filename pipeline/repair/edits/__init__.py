"""Mutation operators: single edits of a shader's syntax tree that its author may have meant."""
