"""Mutation operators of addresses: indices, coordinates and their bounds."""
