"""Undoes and redoes what was done to the open target: strokes on its inputs, and changed values."""
