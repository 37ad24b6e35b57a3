"""Training in the window: steps of the open session, done between frames; losses; weights to go back to."""
