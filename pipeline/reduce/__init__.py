"""Reduces a failing target to the smallest pipeline that fails in the same way: one pass, cut down."""
