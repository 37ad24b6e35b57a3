"""What a repair says was wrong: by its text, by what the mended pass reads."""
