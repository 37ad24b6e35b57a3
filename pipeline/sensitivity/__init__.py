"""Finds the passes that the outputs depend on most: rounds each one's result alone and runs on to the end."""
