"""What values and recorded reads tell of a wrong pass, for rules to propose from."""
