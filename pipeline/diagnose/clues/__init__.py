"""Clues from values and recorded reads of a wrong pass, from which rules propose hypotheses."""
