"""Steps through one fragment: the position in its trace, motions, and what each variable holds."""
