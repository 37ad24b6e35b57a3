"""Reports modules, functions and packages that have grown large; nothing fails, but each is worth a question."""
