"""The open target: opened, run, compared, diagnosed and written out, between frames and in threads."""
