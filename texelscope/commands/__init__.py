"""Holds the commands, one per module: `HELP`, its arguments (`add`), and its work (`run`)."""
