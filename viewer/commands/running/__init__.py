"""How passes run and what they are held against: the modes and the references of the Run menu."""
