"""Programs of edits: every single one of a text, which go together and when, one program that runs any two."""
