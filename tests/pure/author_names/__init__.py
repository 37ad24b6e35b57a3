"""Tests `pipeline.author_names`."""
