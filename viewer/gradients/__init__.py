"""Adds the backward passes of a model."""
