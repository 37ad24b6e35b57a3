"""Turns Magpie effects into passes: reads the sections of a file and runs its passes as Magpie does."""
