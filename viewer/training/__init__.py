"""Training in the window: what is asked for, and steps done between frames, each seen as the open session."""
