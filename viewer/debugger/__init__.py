"""Steps through one fragment: its commands, and the panels of its variables and its sum."""
