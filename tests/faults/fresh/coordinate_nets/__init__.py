"""Bugs in the style `coordinate_nets`: small networks that people of creative coding and graphics write by hand."""
