"""Bugs by people who have not read the diagnosis: folders as users have them, in styles unlike those of the rules."""
