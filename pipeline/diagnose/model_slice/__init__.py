"""The part of the model behind one pass, evaluated again otherwise."""
