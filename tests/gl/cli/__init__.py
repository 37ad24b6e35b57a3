"""The command line from arguments to exit codes."""
