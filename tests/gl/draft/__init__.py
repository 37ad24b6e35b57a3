"""Drafts of pipeline files, run and compared."""
