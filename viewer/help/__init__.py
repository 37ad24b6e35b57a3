"""What the Help menu shows: keys, documentation, versions."""
