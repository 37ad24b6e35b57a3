"""Mutant schemata: all mutations of a text, their order and grouping, and one program that can run any two of them."""
