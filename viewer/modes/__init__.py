"""Shows a shader in every mode and pack."""
