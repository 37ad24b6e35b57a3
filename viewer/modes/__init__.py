"""A shader in every mode and pack, beside the one that is open."""
