"""Compares incrementally: finds the verdicts that stand after a further run, and reads only changed tensors."""
