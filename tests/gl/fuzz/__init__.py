"""Files of strangers: those that once did harm, and some of each kind that are thought up."""
