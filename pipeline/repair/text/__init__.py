"""A shader's text, for its repairs: where values are made, constants that may vary, edits as its author's lines."""
