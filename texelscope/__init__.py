"""The command: what `texelscope` on a command line means, and start-up."""
