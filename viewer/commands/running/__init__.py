"""Implements the Run menu: run modes, references to compare with, training and gradients."""
