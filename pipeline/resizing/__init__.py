"""Cuts one pass out of its run and gives its tensors other sizes."""
