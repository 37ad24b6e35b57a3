"""Shaders ejected from models, then rewritten by hand: tiles by fractions, layers fused, loops written out."""
