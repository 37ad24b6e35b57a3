"""The command line where it needs no driver."""
