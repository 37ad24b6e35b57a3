"""Runs passes: all, up to one, step by step, fused or with every tensor stored."""
