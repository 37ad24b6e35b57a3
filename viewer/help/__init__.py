"""Shows the windows of the Help menu: keys, documentation, versions."""
