"""Other functions in place of the model's: in a part of the result, among equal maxima, at double writes."""
