"""Shows the drafted pipeline file of a shader that was opened alone, as a form."""
