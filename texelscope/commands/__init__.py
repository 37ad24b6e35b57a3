"""Commands of the command line, one module each: `HELP`, its arguments (`add`), and what it does (`run`)."""
