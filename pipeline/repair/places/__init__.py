"""Mutation operators of several places: one axis's names for the other's, exchanged values, a moved summand."""
