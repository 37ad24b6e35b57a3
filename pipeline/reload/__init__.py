"""Shows saved files on screen: notices, plans and compiles them, and runs from the first stale pass on."""
