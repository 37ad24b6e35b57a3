"""Figures and verdicts: what was read back against what the oracle expects, without GL."""
