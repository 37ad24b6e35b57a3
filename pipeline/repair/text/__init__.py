"""A shader's text, for its repairs: definitions of values, constants that may vary, edits in its author's lines."""
