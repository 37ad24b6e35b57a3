"""Keeps the diagnoses of passes on disk, by what they depend on."""
