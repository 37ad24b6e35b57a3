"""Determines what a texture tab shows now: tensor, range and picked texel; and implements commands on these."""
