"""Odd command lines: whatever is asked, the answer is an exit code that stands in the help, and a line."""
