"""Slips of more than one place: names of one axis for the other, values exchanged, a summand behind a function."""
