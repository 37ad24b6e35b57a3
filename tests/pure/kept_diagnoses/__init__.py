"""The diagnoses that are kept on disk: their text, their folder, and what they depend on."""
