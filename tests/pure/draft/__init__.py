"""Drafts of pipeline files, without a driver."""
