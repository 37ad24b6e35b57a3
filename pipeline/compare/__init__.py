"""Compares tensors that were read back with the oracle's, in figures and verdicts, without GL."""
