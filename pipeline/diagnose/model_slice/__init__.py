"""The model slice: the part of the model behind one pass, evaluated with model edits."""
