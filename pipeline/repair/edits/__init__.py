"""What an author may have meant to write in place of what stands in a shader: single edits of its parsed text."""
